package dev.postern.detect;

import java.util.Locale;
import java.util.Set;

/** Whether a name promises a secret: {@code db_password} does, {@code password_policy} and {@code max_tokens} do not. */
final class SecretName {
    /** Words after the keyword that make the value something about a secret, not the secret. */
    private static final Set<String> ABOUT = Set.of(
            "age",
            "alg",
            "algorithm",
            "algo",
            "arn",
            "attempts",
            "attr",
            "attribute",
            "bits",
            "button",
            "callback",
            "change",
            "changed",
            "charset",
            "check",
            "class",
            "column",
            "confirmation",
            "count",
            "counter",
            "created",
            "date",
            "description",
            "digest",
            "dir",
            "directory",
            "encoder",
            "encoding",
            "enabled",
            "endpoint",
            "env",
            "error",
            "exists",
            "expiration",
            "expires",
            "expiry",
            "failure",
            "field",
            "file",
            "filename",
            "fingerprint",
            "flag",
            "form",
            "format",
            "generator",
            "group",
            "handler",
            "hash",
            "header",
            "help",
            "hint",
            "icon",
            "id",
            "ids",
            "identifier",
            "index",
            "input",
            "interval",
            "invalid",
            "ization",
            "ized",
            "izer",
            "kind",
            "label",
            "last",
            "len",
            "length",
            "level",
            "limit",
            "link",
            "location",
            "manager",
            "max",
            "message",
            "method",
            "min",
            "missing",
            "mode",
            "name",
            "names",
            "note",
            "number",
            "page",
            "param",
            "parameter",
            "path",
            "pattern",
            "placeholder",
            "policy",
            "prefix",
            "prompt",
            "provider",
            "ref",
            "reference",
            "regex",
            "region",
            "required",
            "reset",
            "rotation",
            "rule",
            "rules",
            "scope",
            "selector",
            "service",
            "size",
            "source",
            "state",
            "status",
            "store",
            "strength",
            "suffix",
            "text",
            "timeout",
            "title",
            "ttl",
            "type",
            "uri",
            "url",
            "usage",
            "user",
            "username",
            "valid",
            "validation",
            "validator",
            "version",
            "visible",
            "warning");
    /** Words before the keyword that do the same. */
    private static final Set<String> NOT = Set.of(
            "public",
            "pub",
            "next",
            "page",
            "continuation",
            "cancellation",
            "csrf",
            "xsrf",
            "max",
            "min",
            "num",
            "primary",
            "foreign",
            "partition",
            "sort",
            "cache",
            "eos",
            "bos",
            "pad",
            "unk",
            "sep",
            "cls",
            "mask",
            "count",
            "total",
            "no",
            "forgot",
            "reset",
            "change",
            "invalid",
            "cursor",
            "pagination",
            "sync");

    private SecretName() {}

    /** Judges the name {@code text[start, end)} with the keyword at {@code [keywordStart, keywordEnd)} in it. */
    static boolean isSecret(byte[] text, int start, int end, int keywordStart, int keywordEnd) {
        int after = keywordEnd;
        if (after < end && (text[after] | 0x20) == 's') {
            after++;
        }
        return !anyWord(text, after, end, ABOUT) && !anyWord(text, start, keywordStart, NOT);
    }

    /** Whether a word of {@code [from, to)} is one of {@code words}; words end at marks and at capital letters. */
    private static boolean anyWord(byte[] text, int from, int to, Set<String> words) {
        int start = from;
        for (int at = from; at <= to; at++) {
            boolean ends =
                    at == to || !Ascii.isAlphanumeric(text[at]) || (at > start && isHump(text[at - 1], text[at]));
            if (!ends) {
                continue;
            }
            if (at > start && words.contains(word(text, start, at))) {
                return true;
            }
            start = at < to && !Ascii.isAlphanumeric(text[at]) ? at + 1 : at;
        }
        return false;
    }

    static boolean isHump(byte before, byte b) {
        return isUpper(b) && !isUpper(before);
    }

    private static boolean isUpper(byte b) {
        return b >= 'A' && b <= 'Z';
    }

    private static String word(byte[] text, int from, int to) {
        return new String(text, from, to - from, java.nio.charset.StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
    }
}
