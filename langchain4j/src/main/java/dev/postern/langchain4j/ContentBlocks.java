package dev.postern.langchain4j;

import static java.util.Objects.requireNonNull;

import dev.langchain4j.data.message.AudioContent;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.PdfFileContent;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.VideoContent;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Several contents as one MCP tool result, the shape in which adjacent texts are looked through as one (S4) and payloads
 * are looked through decoded (S5).
 */
final class ContentBlocks {
    private ContentBlocks() {}

    static String write(List<Content> contents) {
        List<Map<String, Object>> blocks =
                contents.stream().map(ContentBlocks::block).toList();
        return new String(JsonWriter.write(Map.of("content", blocks)), StandardCharsets.UTF_8);
    }

    /** The contents given, each replaced by a text where its block was changed. */
    static List<Content> read(String clean, List<Content> given) {
        JsonValue root = JsonValue.parse(clean.getBytes(StandardCharsets.UTF_8));
        List<JsonValue> blocks = requireNonNull(root.member("content")).elements();
        List<Content> contents = new ArrayList<>(given.size());
        for (int i = 0; i < given.size(); i++) {
            String before = new String(JsonWriter.write(block(given.get(i))), StandardCharsets.UTF_8);
            JsonValue block = blocks.get(i);
            contents.add(before.equals(block.spelling()) ? given.get(i) : TextContent.from(text(block)));
        }
        return contents;
    }

    private static String text(JsonValue block) {
        String text = block.string("text");
        String uri = block.string("uri");
        return text != null ? text : uri != null ? uri : "[a part of the answer is withheld: it held a secret]";
    }

    private static Map<String, Object> block(Content content) {
        if (content instanceof TextContent text) {
            return members("type", "text", "text", text.text());
        } else if (content instanceof ImageContent image) {
            return media("image", image.image().base64Data(), image.image().url());
        } else if (content instanceof AudioContent audio) {
            return media("audio", audio.audio().base64Data(), audio.audio().url());
        } else if (content instanceof VideoContent video) {
            return media("video", video.video().base64Data(), video.video().url());
        } else if (content instanceof PdfFileContent pdf) {
            return media("pdf", pdf.pdfFile().base64Data(), pdf.pdfFile().url());
        }
        throw new IllegalArgumentException("a content of kind " + content.type() + " cannot be looked through");
    }

    private static Map<String, Object> media(String kind, @Nullable String base64, @Nullable URI url) {
        if (base64 == null) {
            return members("type", "resource_link", "uri", String.valueOf(url));
        }
        return kind.equals("image") || kind.equals("audio")
                ? members("type", kind, "data", base64)
                : members("type", "resource", "resource", members("blob", base64));
    }

    private static Map<String, Object> members(Object... namesAndValues) {
        Map<String, Object> members = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            members.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return members;
    }
}
