package dev.postern.mcp.http;

import dev.postern.json.JsonException;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A response as a {@code tools/call} result: status and headers, then the body as text, or as a base64 blob where it is none.
 * What the choke point cannot look into is made so that it can (gzip, deflate, {@link ResponseText charsets}), or withheld where values are
 * out that it may hold: those of the request, or of one before it (S9). {@code structuredContent} says the same for programs: a JSON body is JSON there.
 */
final class ResponseResult {
    /** What a body may hold, unpacked. */
    static final int MAX_BODY_BYTES = 1 << 20;

    /** A longer text is in the text block alone, which is cut where a result's text is (S13). */
    private static final int MAX_STRUCTURED_BYTES = 150_000;

    private final int status;
    private final HttpHeaders headers;
    private final boolean mayHoldValues;
    private final List<String> remarks = new ArrayList<>();

    ResponseResult(int status, HttpHeaders headers, boolean mayHoldValues) {
        this.status = status;
        this.headers = headers;
        this.mayHoldValues = mayHoldValues;
    }

    /** Says something of our own beside the response. */
    void remark(String sentence) {
        remarks.add(sentence);
    }

    byte[] toJson(BoundedBody.Read read) {
        byte[] body = unpacked(read);
        String text = body == null ? null : text(body);
        if (body != null
                && text == null
                && mayHoldValues
                && (isSaidToBeText() || ResponseText.isOfWideCharacters(body))) {
            remark("the body is text in a charset that cannot be looked into, so it is withheld");
            body = null;
        }
        List<Object> content = new ArrayList<>();
        Map<String, Object> structured = new LinkedHashMap<>();
        structured.put("status", status);
        structured.put("headers", headerMap());
        Map<String, Object> blob = null;
        if (body != null && text != null && !text.isEmpty()) {
            if (body.length <= MAX_STRUCTURED_BYTES) {
                structured.put("body", isJson() ? json(text) : text);
            }
            blob = textBlock(text);
        } else if (body != null && body.length > 0) {
            String base64 = Base64.getEncoder().encodeToString(body);
            structured.put("body_base64", base64);
            blob = blob(base64);
        }
        if (!remarks.isEmpty()) {
            structured.put("remarks", remarks);
        }
        content.add(textBlock(head()));
        if (blob != null) {
            content.add(blob);
        }
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("content", content);
        result.put("structuredContent", structured);
        return JsonWriter.write(result);
    }

    private String head() {
        StringBuilder head = new StringBuilder("HTTP ").append(status);
        headers.map().forEach((name, values) -> {
            for (String value : values) {
                head.append('\n').append(name).append(": ").append(ResponseText.header(value));
            }
        });
        remarks.forEach(remark -> head.append("\n(").append(remark).append(')'));
        return head.append('\n').toString();
    }

    private Map<String, Object> headerMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        headers.map().forEach((name, values) -> {
            List<String> texts = values.stream().map(ResponseText::header).toList();
            map.put(name, texts.size() == 1 ? texts.getFirst() : texts);
        });
        return map;
    }

    private static Map<String, Object> textBlock(String text) {
        Map<String, Object> block = new LinkedHashMap<>();
        block.put("type", "text");
        block.put("text", text);
        return block;
    }

    private Map<String, Object> blob(String base64) {
        Map<String, Object> resource = new LinkedHashMap<>();
        resource.put("uri", "response:body");
        resource.put(
                "mimeType",
                headers.firstValue("content-type").map(ResponseText::header).orElse("application/octet-stream"));
        resource.put("blob", base64);
        Map<String, Object> block = new LinkedHashMap<>();
        block.put("type", "resource");
        block.put("resource", resource);
        return block;
    }

    /** The body without its content coding; null where it may not be passed on. */
    private byte @Nullable [] unpacked(BoundedBody.Read read) {
        if (read.isCut()) {
            remark("the body is cut after " + MAX_BODY_BYTES + " bytes");
        }
        String coding =
                String.join(",", headers.allValues("content-encoding")).strip().toLowerCase(Locale.ROOT);
        try {
            return switch (coding) {
                case "", "identity" -> read.bytes();
                case "gzip", "x-gzip" -> bounded(new GZIPInputStream(new ByteArrayInputStream(read.bytes())));
                case "deflate" -> bounded(new InflaterInputStream(new ByteArrayInputStream(read.bytes())));
                default -> asItIs(read.bytes());
            };
        } catch (IOException e) {
            return asItIs(read.bytes());
        }
    }

    private byte @Nullable [] asItIs(byte[] bytes) {
        if (!mayHoldValues) {
            return bytes;
        }
        remark("the body is packed in a way that cannot be looked into, so it is withheld");
        return null;
    }

    private byte[] bounded(InputStream unpacking) throws IOException {
        ByteArrayOutputStream unpacked = new ByteArrayOutputStream();
        try (unpacking) {
            byte[] buffer = new byte[8192];
            int count;
            while ((count = unpacking.read(buffer)) >= 0) {
                unpacked.write(buffer, 0, Math.min(count, MAX_BODY_BYTES - unpacked.size()));
                if (unpacked.size() == MAX_BODY_BYTES) {
                    remark("the body is cut after " + MAX_BODY_BYTES + " bytes");
                    break;
                }
            }
        }
        return unpacked.toByteArray();
    }

    private @Nullable String text(byte[] body) {
        return ResponseText.body(body, charset(), body.length >= MAX_BODY_BYTES);
    }

    private @Nullable String charset() {
        String type = headers.firstValue("content-type").orElse("").toLowerCase(Locale.ROOT);
        int charset = type.indexOf("charset=");
        return charset < 0
                ? null
                : type.substring(charset + "charset=".length())
                        .split("[;\\s]", 2)[0]
                        .replace("\"", "");
    }

    /** Whether the server says that this is text. */
    private boolean isSaidToBeText() {
        String type = headers.firstValue("content-type").orElse("").toLowerCase(Locale.ROOT);
        return charset() != null || type.isEmpty() || type.startsWith("text/") || isJson() || type.contains("xml");
    }

    private boolean isJson() {
        String type = headers.firstValue("content-type").orElse("").toLowerCase(Locale.ROOT);
        return type.startsWith("application/json") || type.contains("+json");
    }

    private static Object json(String text) {
        try {
            return JsonValue.parse(text.getBytes(StandardCharsets.UTF_8));
        } catch (JsonException e) {
            return text;
        }
    }
}
