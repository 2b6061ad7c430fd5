package dev.postern.mcp.relay;

import dev.postern.gate.call.ToolName;
import dev.postern.gate.upstream.UpstreamException;
import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import dev.postern.mcp.catalog.Cursor;
import dev.postern.mcp.catalog.ListKind;
import dev.postern.mcp.catalog.MergedList;
import dev.postern.mcp.catalog.Names;
import dev.postern.mcp.catalog.OwnTools;
import dev.postern.mcp.catalog.ResourceOwners;
import dev.postern.mcp.wire.Era;
import dev.postern.mcp.wire.JsonRpc;
import dev.postern.mcp.wire.Message;
import dev.postern.scrub.ScrubFailedException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All servers as one: lists merged, names and URIs led to the server that has them. */
final class Aggregate {
    private static final Logger LOG = LoggerFactory.getLogger(Aggregate.class);

    private static final int MAX_PAGES = 100;

    /** What servers of either era say of a resource that they do not have. */
    private static final Set<String> NOT_FOUND = Set.of("-32002", "" + JsonRpc.INVALID_PARAMS);

    private final Links links;
    private final OwnTools ownTools;
    private final ResourceOwners owners = new ResourceOwners();

    Aggregate(Links links, OwnTools ownTools) {
        this.links = links;
        this.ownTools = ownTools;
    }

    /** An item under its server's own name. */
    record Target(ServerLink link, String item) {}

    OwnTools ownTools() {
        return ownTools;
    }

    /**
     * One page of a merged list: the first pages of all servers, up to the first that has more pages. A server that
     * cannot be reached is left out, and the list that lacks it is stale at once.
     *
     * @param client whether the result says how long it may be kept, and by whom
     * @param learner hears of each server's page
     * @return the result, JSON
     */
    byte[] list(ListKind kind, InFlight inFlight, Era client, BiConsumer<String, JsonValue> learner) {
        List<String> names = links.names();
        Cursor cursor = cursorOf(inFlight.request());
        int first = cursor == null ? 0 : names.indexOf(cursor.server());
        if (first < 0) {
            throw new AnswerException(
                    JsonRpc.INVALID_PARAMS, "params.cursor is not one of ours any more: list from the start again");
        }
        MergedList merged = new MergedList(kind, client == Era.MODERN);
        if (cursor == null && kind == ListKind.TOOLS) {
            ownTools.definitions().forEach(merged::addOwn);
            merged.addOwn(Steps.definition());
        }
        List<String> rest = names.subList(first, names.size());
        List<Page> pages = pages(rest, kind, cursor == null ? null : cursor.inner(), inFlight);
        for (int i = 0; i < rest.size(); i++) {
            String server = rest.get(i);
            JsonValue page = switch (pages.get(i)) {
                case Page.Of(var result) -> result;
                case Page.Missing() -> {
                    merged.incomplete();
                    yield null;
                }
                case Page.None() -> null;
            };
            if (page == null) {
                continue;
            }
            merged.add(server, page);
            owners.learn(kind, server, page);
            learner.accept(server, page);
            String next = page.string("nextCursor");
            if (next != null) {
                return merged.toJson(new Cursor(server, next));
            }
        }
        return merged.toJson(null);
    }

    /** The server and tool behind an offered name; null if there is none. */
    @Nullable
    Target tool(String qualified, InFlight inFlight) {
        return target(qualified, (link, item) -> {
            link.tools().definition(item, inFlight); // so that the list is known
            return link.tools()
                    .known()
                    .named(candidate -> Names.qualified(link.name(), candidate).equals(qualified));
        });
    }

    Outbound getPrompt(InFlight inFlight) {
        JsonValue params = inFlight.request().body();
        JsonValue name = params == null ? null : params.member("name");
        if (params == null || name == null || !name.is(JsonValue.Kind.STRING)) {
            throw new AnswerException(JsonRpc.INVALID_PARAMS, "params.name is missing: name the prompt as a string");
        }
        Target target = prompt(name.string(), inFlight);
        return target.link().forward("prompts/get", params, () -> named(params, name, target.item()), inFlight);
    }

    Outbound complete(InFlight inFlight) {
        JsonValue params = inFlight.request().body();
        JsonValue ref = params == null ? null : params.member("ref");
        if (params == null || ref == null) {
            throw new AnswerException(JsonRpc.INVALID_PARAMS, "params.ref is missing: say what is to be completed");
        }
        JsonValue name = ref.member("name");
        if (name != null && name.is(JsonValue.Kind.STRING)) {
            Target target = prompt(name.string(), inFlight);
            return target.link()
                    .forward("completion/complete", params, () -> named(params, name, target.item()), inFlight);
        }
        return byUri(inFlight, ref.string("uri"));
    }

    /** A request whose params name a resource. */
    Outbound byUri(InFlight inFlight) {
        JsonValue params = inFlight.request().body();
        return byUri(inFlight, params == null ? null : params.string("uri"));
    }

    private Outbound byUri(InFlight inFlight, @Nullable String uri) {
        JsonValue params = inFlight.request().body();
        if (params == null || uri == null) {
            throw new AnswerException(JsonRpc.INVALID_PARAMS, "the resource's uri is missing: send it as a string");
        }
        List<String> candidates = new ArrayList<>(links.names());
        String owner = owners.ownerOf(uri);
        if (owner == null || !candidates.remove(owner)) {
            return byAsking(candidates, null, inFlight, params);
        }
        Outbound answer = links.link(owner).forward(inFlight.request().method(), params, inFlight);
        // It had the resource once, which may be another server's by now.
        return isNotFound(answer) ? byAsking(candidates, answer, inFlight, params) : answer;
    }

    private static boolean isNotFound(Outbound answer) {
        Message message = answer.message();
        JsonValue error = message.type() == Message.Type.ERROR ? message.body() : null;
        JsonValue code = error == null ? null : error.member("code");
        return code != null && NOT_FOUND.contains(code.spelling());
    }

    /**
     * The answer of the first that knows what is asked for.
     *
     * @param otherwise the answer if none does; null for that of the last
     */
    private Outbound byAsking(
            List<String> candidates, @Nullable Outbound otherwise, InFlight inFlight, JsonValue params) {
        Outbound last = otherwise;
        UpstreamException stopped = null;
        for (String server : candidates) {
            ServerLink link = links.link(server);
            try {
                if ((candidates.size() > 1 || otherwise != null) && !link.offers("resources")) {
                    continue;
                }
                Outbound answer = link.forward(inFlight.request().method(), params, inFlight);
                if (answer.message().type() == Message.Type.RESULT) {
                    return answer;
                }
                last = otherwise == null ? answer : otherwise;
            } catch (UpstreamException | ScrubFailedException e) {
                if (candidates.size() == 1 && otherwise == null) {
                    throw e;
                }
                stopped = isStopped(e) ? (UpstreamException) e : stopped;
                LOG.warn("server '{}' was left out: {}", server, e.getMessage());
            }
        }
        if (last == null && stopped != null) {
            throw stopped;
        }
        if (last == null) {
            throw new AnswerException(JsonRpc.INVALID_PARAMS, "no server offers resources");
        }
        return last;
    }

    private Target prompt(String qualified, InFlight inFlight) {
        Target target = target(qualified, (link, item) -> promptNamed(link, qualified, inFlight));
        if (target == null) {
            throw new AnswerException(
                    JsonRpc.INVALID_PARAMS,
                    "no prompt has that name: prompts/list shows the names, which are SERVER__PROMPT here");
        }
        return target;
    }

    /** The prompt whose offered name is this one, where that was cut. */
    private static @Nullable String promptNamed(ServerLink link, String qualified, InFlight inFlight) {
        byte[] params = null;
        for (int page = 0; page < MAX_PAGES; page++) {
            JsonValue result = link.request(ListKind.PROMPTS.method(), params, inFlight)
                    .message()
                    .body();
            JsonValue prompts = result == null ? null : result.member(ListKind.PROMPTS.member());
            if (result == null || prompts == null) {
                return null;
            }
            for (JsonValue prompt : prompts.elements()) {
                String name = prompt.string("name");
                if (name != null && Names.qualified(link.name(), name).equals(qualified)) {
                    return name;
                }
            }
            String next = result.string("nextCursor");
            if (next == null) {
                return null;
            }
            params = MergedList.params(null, next);
        }
        return null;
    }

    private interface Shortened {
        @Nullable
        String whole(ServerLink link, String item);
    }

    private @Nullable Target target(String qualified, Shortened shortened) {
        for (String server : links.names()) {
            String prefix = server + ToolName.SEPARATOR;
            if (qualified.startsWith(prefix) && qualified.length() > prefix.length()) {
                ServerLink link = links.link(server);
                String item = qualified.substring(prefix.length());
                String whole = Names.mayBeShortened(qualified) ? shortened.whole(link, item) : null;
                return new Target(link, whole == null ? item : whole);
            }
        }
        return null;
    }

    /** What a server has to do with a list. */
    private sealed interface Page {
        /** Its page of it: a scrubbed result. */
        record Of(JsonValue result) implements Page {}

        /** It has no such list. */
        record None() implements Page {}

        /** It could not be asked, or did not answer. */
        record Missing() implements Page {}
    }

    private List<Page> pages(List<String> servers, ListKind kind, @Nullable String inner, InFlight inFlight) {
        try (ExecutorService each = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Page>> pages = new ArrayList<>();
            for (int i = 0; i < servers.size(); i++) {
                String server = servers.get(i);
                String from = i == 0 ? inner : null;
                pages.add(each.submit(() -> page(server, kind, from, inFlight)));
            }
            List<Page> results = new ArrayList<>();
            for (Future<Page> page : pages) {
                results.add(page.get());
            }
            return results;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UpstreamException(UpstreamException.Kind.CANCELLED, "the list was interrupted");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException known
                    ? known
                    : new IllegalStateException("a list failed for an unknown reason");
        }
    }

    private Page page(String server, ListKind kind, @Nullable String cursor, InFlight inFlight) {
        ServerLink link = links.link(server);
        try {
            if (!link.offers(kind.capability())) {
                return new Page.None();
            }
            JsonValue params = inFlight.request().body();
            byte[] asked = MergedList.params(params == null ? null : params.member("_meta"), cursor);
            Message answer = link.request(kind.method(), asked, inFlight).message();
            JsonValue result = answer.body();
            if (answer.type() == Message.Type.RESULT && result != null) {
                if (kind == ListKind.TOOLS) {
                    link.tools().known().learn(result);
                }
                return new Page.Of(result);
            }
            LOG.debug("server '{}' does not answer {}", server, kind.method());
        } catch (UpstreamException | ScrubFailedException e) {
            if (inFlight.cancellation().isFired()) {
                throw e;
            }
            if (isStopped(e)) {
                return new Page.Missing();
            }
            LOG.warn("server '{}' was left out of {}: {}", server, kind.method(), e.getMessage());
        }
        return new Page.Missing();
    }

    private static boolean isStopped(RuntimeException e) {
        return e instanceof UpstreamException failed && failed.kind() == UpstreamException.Kind.KILL_SWITCH;
    }

    private static @Nullable Cursor cursorOf(Message request) {
        JsonValue params = request.body();
        String encoded = params == null ? null : params.string("cursor");
        return encoded == null
                ? null
                : Cursor.decode(encoded)
                        .orElseThrow(() -> new AnswerException(
                                JsonRpc.INVALID_PARAMS,
                                "params.cursor is not one of ours: pass on the nextCursor of the last page as it is"));
    }

    private static ParamsEdit named(JsonValue params, JsonValue name, String item) {
        return new ParamsEdit(params).replace(name, JsonStrings.quote(item).getBytes(StandardCharsets.UTF_8));
    }
}
