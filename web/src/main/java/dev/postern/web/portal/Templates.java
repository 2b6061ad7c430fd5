package dev.postern.web.portal;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.Utf8ByteOutput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/** Makes HTML of a template that was compiled with the program, escaping each text for the place where it stands. */
final class Templates {
    private static final String PACKAGE = "dev.postern.web.portal.html";

    private final TemplateEngine engine =
            TemplateEngine.createPrecompiled(null, ContentType.Html, Templates.class.getClassLoader(), PACKAGE);

    /** The bytes of a page, or of a part of one. */
    byte[] render(String template, Map<String, Object> parameters) {
        Utf8ByteOutput output = new Utf8ByteOutput();
        engine.render(template + ".jte", parameters, output);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(output.getContentLength());
        try {
            output.writeTo(bytes::write);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
