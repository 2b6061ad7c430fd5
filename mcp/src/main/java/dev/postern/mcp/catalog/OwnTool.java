package dev.postern.mcp.catalog;

import dev.postern.json.JsonValue;
import dev.postern.reference.Reference;
import java.util.List;

/** A tool that Postern itself offers on {@code /mcp}, under a plain name. Its calls are governed like any other. */
public interface OwnTool {
    /** The server's name in the ledger and in policies: {@code postern__vault_list}. */
    String SERVER = "postern";

    String name();

    /** The tool's definition as {@code tools/list} shows it, JSON. */
    byte[] definition();

    /**
     * Secrets that a call uses although its arguments hold no reference to them. They are resolved, asked about and recorded
     * as those of references are; empty where the arguments are wrong, which {@link #vet} says.
     */
    default List<Reference> names(JsonValue arguments) {
        return List.of();
    }

    /**
     * Looks at a call that the policy lets through, before the vault is read and anyone is asked (P1).
     *
     * @param arguments references intact
     * @throws dev.postern.gate.call.RefusedException if it could not run as it is; see {@link OwnTools#invalid}
     */
    default void vet(JsonValue arguments, boolean bearsSecrets) {}

    /**
     * Runs the tool.
     *
     * @return the {@code tools/call} result, JSON; scrubbed like any server's
     * @throws dev.postern.gate.upstream.UpstreamException if there is none
     */
    byte[] call(OwnCall call);
}
