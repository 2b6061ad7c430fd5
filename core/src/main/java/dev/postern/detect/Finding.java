package dev.postern.detect;

/**
 * Where a rule found what looks like a secret (D1). Holds no value and no preview, so it may be logged and stored.
 *
 * @param rule the rule's name, such as {@code env_secret}
 * @param category what was found, such as {@code env_variable}; the word in {@code [REDACTED:…]}
 * @param classification what the rule file says to call it; {@code REDACTED} unless configured otherwise
 * @param start the first character of the masked span, counted in {@code char}s of the text
 * @param end one past its last character
 * @param line the line {@code start} stands in, from 1
 * @param column the character in that line, from 1
 */
public record Finding(String rule, String category, String classification, int start, int end, int line, int column) {}
