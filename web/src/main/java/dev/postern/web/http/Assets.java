package dev.postern.web.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;

/**
 * Files of the class path that pages need: styles, scripts, pictures. Each is served under a name that holds its hash, so
 * that browsers may keep it for good; it is read and packed when it is first asked for.
 */
public final class Assets {
    private static final String FOREVER = "public, max-age=31536000, immutable";

    private final Class<?> anchor;
    private final Map<String, String> resources;
    private final Map<String, Asset> loaded = new ConcurrentHashMap<>();

    /**
     * Some files.
     *
     * @param anchor relative to whose package they are found
     * @param resources resource paths by the name to serve each under, such as {@code app.css}
     */
    public Assets(Class<?> anchor, Map<String, String> resources) {
        this.anchor = anchor;
        this.resources = Map.copyOf(resources);
    }

    /** Files whose name is their path. */
    public static Assets of(Class<?> anchor, String... names) {
        return new Assets(anchor, List.of(names).stream().collect(Collectors.toMap(Function.identity(), name -> name)));
    }

    private record Asset(byte[] bytes, byte[] packed, String tag) {}

    /** Where a file is, for a page's link: {@code /assets/app.0123456789ab.css}. */
    public String path(String name) {
        int dot = name.lastIndexOf('.');
        String hash = asset(name).tag.substring(1, 13);
        return "/assets/" + name.substring(0, dot) + "." + hash + name.substring(dot);
    }

    /** The route that serves them. */
    public Route route() {
        return Route.page("GET", "/assets/{file}", Access.OPEN, this::serve).inBackground();
    }

    private Reply serve(Request request) {
        String file = request.pathValue("file");
        for (String name : resources.keySet()) {
            if (path(name).equals("/assets/" + file)) {
                return reply(request, name, asset(name));
            }
        }
        throw new ProblemException(404, "NOT_FOUND", "There is nothing at this address.");
    }

    private static Reply reply(Request request, String name, Asset asset) {
        String accepted = request.header("Accept-Encoding");
        boolean packed = accepted != null && accepted.contains("gzip") && asset.packed.length < asset.bytes.length;
        Reply reply = Reply.bytes(200, type(name), packed ? asset.packed : asset.bytes);
        if (Reply.matches(request.header("If-None-Match"), asset.tag)) {
            reply = Reply.notModified();
        } else if (packed) {
            reply = reply.with("Content-Encoding", "gzip");
        }
        return reply.with("Cache-Control", FOREVER).with("ETag", asset.tag).with("Vary", "Accept-Encoding");
    }

    private Asset asset(String name) {
        return loaded.computeIfAbsent(name, this::load);
    }

    private Asset load(String name) {
        String resource = resources.get(name);
        try (InputStream in = resource == null ? null : anchor.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("no asset " + name);
            }
            byte[] bytes = in.readAllBytes();
            ByteArrayOutputStream packed = new ByteArrayOutputStream(bytes.length);
            try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
                gzip.write(bytes);
            }
            return new Asset(bytes, packed.toByteArray(), Reply.entityTag(bytes));
        } catch (IOException e) {
            throw new IllegalStateException("the asset " + name + " cannot be read");
        }
    }

    private static String type(String name) {
        return switch (name.substring(name.lastIndexOf('.') + 1)) {
            case "css" -> "text/css; charset=utf-8";
            case "js" -> "text/javascript; charset=utf-8";
            case "svg" -> "image/svg+xml";
            case "png" -> "image/png";
            case "ico" -> "image/x-icon";
            case "woff2" -> "font/woff2";
            default -> "application/octet-stream";
        };
    }
}
