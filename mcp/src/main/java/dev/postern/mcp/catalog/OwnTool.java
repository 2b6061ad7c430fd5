package dev.postern.mcp.catalog;

import dev.postern.gate.agent.Caller;
import dev.postern.json.JsonValue;

/** A tool that Postern itself offers on {@code /mcp}, under a plain name. Its calls are governed like any other. */
public interface OwnTool {
    /** The server's name in the ledger and in policies: {@code postern__vault_list}. */
    String SERVER = "postern";

    String name();

    /** The tool's definition as {@code tools/list} shows it, JSON. */
    byte[] definition();

    /**
     * Runs the tool.
     *
     * @param arguments with values in place of references, if the tool's call was approved to have them
     * @return the {@code tools/call} result, JSON; scrubbed like any server's
     */
    byte[] call(JsonValue arguments, Caller caller);
}
