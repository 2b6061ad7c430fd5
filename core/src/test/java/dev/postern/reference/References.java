package dev.postern.reference;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;

/** Pieces of which strings with references, and with what looks like them, are made. */
final class References {
    static final List<String> FRAGMENTS = List.of(
            "{{vault:x}}",
            "{{vault:db_password}}",
            "{{VAULT:a.b-c#username}}",
            "{{vault:u|uri}}",
            "{{vault:u#notes|json}}",
            "{{secret:6f1d2c3e-4b5a-4c6d-8e7f-90a1b2c3d4e5}}",
            "{{Secret:6F1D2C3E-4B5A-4C6D-8E7F-90A1B2C3D4E5.notes}}",
            "{{vault:x|base64|shell}}",
            "{{",
            "}}",
            "{{ mustache }}",
            "${VAR}",
            "{{other:x}}",
            "{vault:x}");

    private static final List<String> NOISE = List.of(
            "{{vault:",
            "{{secret:",
            "x",
            "}}",
            "}",
            "{",
            "\"",
            "\\",
            "\\u007b",
            "\\u00",
            "7b",
            "vault",
            "secret:",
            ":",
            "#",
            "|",
            "uri",
            ".",
            "notes",
            "{\"a\":\"",
            "\"}",
            ",",
            "[",
            "]",
            "é",
            "\0",
            "{\"a\":\"{{vault:x}}\"}");

    private References() {}

    /** Bytes made of pieces of JSON and of references, seldom well formed. */
    static Arbitrary<byte[]> noise() {
        Arbitrary<String> pieces = Arbitraries.of(NOISE).list().ofMaxSize(12).map(list -> String.join("", list));
        return Arbitraries.oneOf(
                pieces.map(text -> text.getBytes(UTF_8)),
                pieces.map(text -> ("{\"a\":\"" + text + "\"}").getBytes(UTF_8)),
                Arbitraries.bytes().array(byte[].class).ofMaxSize(60));
    }
}
