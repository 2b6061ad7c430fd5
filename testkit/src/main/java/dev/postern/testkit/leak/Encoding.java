package dev.postern.testkit.leak;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Base64;
import java.util.HexFormat;
import java.util.random.RandomGenerator;

/**
 * The forms of S3, as a server may put a text into them. Where a rule leaves a choice of spelling, chance makes it. Each
 * applies to any text, so they chain.
 */
public enum Encoding {
    /** As it is. */
    PLAIN {
        @Override
        public String apply(String text, RandomGenerator random) {
            return text;
        }
    },
    /** The inside of a JSON string, with as few escapes as the standard demands. */
    JSON {
        @Override
        public String apply(String text, RandomGenerator random) {
            return json(text, random, 0, false);
        }
    },
    /** The inside of a JSON string with the solidus and everything beyond ASCII escaped. */
    JSON_ASCII {
        @Override
        public String apply(String text, RandomGenerator random) {
            return json(text, random, 0, true).replace("/", "\\/");
        }
    },
    /** The inside of a JSON string with any characters escaped. */
    JSON_ANY {
        @Override
        public String apply(String text, RandomGenerator random) {
            return json(text, random, 1 + random.nextInt(4), random.nextBoolean());
        }
    },
    /** Percent-encoding of everything but what RFC 3986 calls unreserved. */
    PERCENT {
        @Override
        public String apply(String text, RandomGenerator random) {
            return percent(text, random, 0);
        }
    },
    /** Percent-encoding of whatever chance picks, in either case. */
    PERCENT_ANY {
        @Override
        public String apply(String text, RandomGenerator random) {
            return percent(text, random, 1 + random.nextInt(4));
        }
    },
    /** As an HTML form sends it. */
    FORM {
        @Override
        public String apply(String text, RandomGenerator random) {
            return percent(text, random, 0).replace("%20", "+");
        }
    },
    /** The five characters HTML escapes. */
    HTML {
        @Override
        public String apply(String text, RandomGenerator random) {
            return text.replace("&", "&amp;")
                    .replace("<", "&lt;")
                    .replace(">", "&gt;")
                    .replace("\"", "&quot;")
                    .replace("'", random.nextBoolean() ? "&#39;" : "&apos;");
        }
    },
    /** Any characters as numeric character references. */
    HTML_NUMERIC {
        @Override
        public String apply(String text, RandomGenerator random) {
            int oneIn = 1 + random.nextInt(3);
            StringBuilder out = new StringBuilder();
            text.codePoints().forEach(c -> {
                if (c == '&' || random.nextInt(oneIn) == 0) {
                    out.append(random.nextBoolean() ? "&#" + c : "&#x" + Integer.toHexString(c))
                            .append(';');
                } else {
                    out.appendCodePoint(c);
                }
            });
            return out.toString();
        }
    },
    /** A backslash before everything a shell or a regular expression takes for special. */
    BACKSLASH {
        @Override
        public String apply(String text, RandomGenerator random) {
            StringBuilder out = new StringBuilder();
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (c > ' ' && c < 0x7F && !Character.isLetterOrDigit(c)) {
                    out.append('\\');
                }
                out.append(c);
            }
            return out.toString();
        }
    },
    /** Single quotes of a shell, without the outer ones. */
    SHELL {
        @Override
        public String apply(String text, RandomGenerator random) {
            return text.replace("'", "'\\''");
        }
    },
    /** Base64 at a random alignment, with or without padding and line breaks. */
    BASE64 {
        @Override
        public String apply(String text, RandomGenerator random) {
            Base64.Encoder encoder = switch (random.nextInt(4)) {
                case 0 -> Base64.getMimeEncoder(random.nextBoolean() ? 76 : 64, new byte[] {'\n'});
                case 1 -> Base64.getMimeEncoder(76, new byte[] {'\r', '\n'});
                default -> Base64.getEncoder();
            };
            return aligned(text, random, random.nextBoolean() ? encoder : encoder.withoutPadding());
        }
    },
    /** Base64url at a random alignment, with or without padding. */
    BASE64_URL {
        @Override
        public String apply(String text, RandomGenerator random) {
            Base64.Encoder encoder = Base64.getUrlEncoder();
            return aligned(text, random, random.nextBoolean() ? encoder : encoder.withoutPadding());
        }
    },
    /** Hex in either case. */
    HEX {
        @Override
        public String apply(String text, RandomGenerator random) {
            HexFormat format =
                    random.nextBoolean() ? HexFormat.of() : HexFormat.of().withUpperCase();
            return format.formatHex(text.getBytes(StandardCharsets.UTF_8));
        }
    },
    /** Canonically decomposed. */
    NFD {
        @Override
        public String apply(String text, RandomGenerator random) {
            return Normalizer.normalize(text, Normalizer.Form.NFD);
        }
    },
    /** Canonically composed. */
    NFC {
        @Override
        public String apply(String text, RandomGenerator random) {
            return Normalizer.normalize(text, Normalizer.Form.NFC);
        }
    },
    /** With line ends of CR LF. */
    CRLF {
        @Override
        public String apply(String text, RandomGenerator random) {
            return text.replace("\r\n", "\n").replace("\n", "\r\n");
        }
    },
    /** With colour codes in it. */
    COLOURS {
        @Override
        public String apply(String text, RandomGenerator random) {
            StringBuilder out = new StringBuilder();
            text.codePoints().forEach(c -> {
                if (random.nextInt(8) == 0) {
                    out.append("\u001b[").append(random.nextBoolean() ? "1;31m" : "0m");
                }
                out.appendCodePoint(c);
            });
            return out.toString();
        }
    };

    /** The text in this form. */
    public abstract String apply(String text, RandomGenerator random);

    /** @param oneIn escapes one in so many of the characters that need none; 0 for none of them */
    private static String json(String text, RandomGenerator random, int oneIn, boolean ascii) {
        StringBuilder out = new StringBuilder();
        text.codePoints().forEach(c -> {
            int named = "\"\\\b\f\n\r\t".indexOf(c);
            boolean must = c < 0x20 || named >= 0 || (ascii && c > 0x7E);
            if ((oneIn > 0 && random.nextInt(oneIn) == 0) || (must && named < 0)) {
                for (char unit : Character.toChars(c)) {
                    out.append(String.format(random.nextBoolean() ? "\\u%04x" : "\\u%04X", (int) unit));
                }
            } else if (must) {
                out.append('\\').append("\"\\bfnrt".charAt(named));
            } else {
                out.appendCodePoint(c);
            }
        });
        return out.toString();
    }

    private static String percent(String text, RandomGenerator random, int oneIn) {
        StringBuilder out = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            boolean unreserved = b > 0 && (Character.isLetterOrDigit(b) || "-_.~".indexOf(b) >= 0);
            boolean keep = oneIn == 0 ? unreserved : b > 0x20 && b != '%' && random.nextInt(oneIn) != 0;
            if (keep) {
                out.append((char) b);
            } else {
                out.append(String.format(random.nextBoolean() ? "%%%02X" : "%%%02x", b & 0xFF));
            }
        }
        return out.toString();
    }

    private static String aligned(String text, RandomGenerator random, Base64.Encoder encoder) {
        String before = "user:".substring(0, random.nextInt(4));
        String after = "\nend".substring(0, random.nextInt(4));
        return encoder.encodeToString((before + text + after).getBytes(StandardCharsets.UTF_8));
    }
}
