package dev.postern.app.cli;

import java.time.Duration;
import java.util.Optional;

/** Times as people write them: {@code 90s}, {@code 10m}, {@code 1h}, {@code 30d}. */
final class Times {
    private static final int MAX_DIGITS = 9;

    private Times() {}

    /** The time; empty where the text is none, or is nothing. */
    static Optional<Duration> parse(String text) {
        String digits = text.substring(0, Math.max(0, text.length() - 1));
        if (digits.isEmpty() || digits.length() > MAX_DIGITS || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return Optional.empty();
        }
        long amount = Long.parseLong(digits);
        Duration time = switch (text.charAt(text.length() - 1)) {
            case 's' -> Duration.ofSeconds(amount);
            case 'm' -> Duration.ofMinutes(amount);
            case 'h' -> Duration.ofHours(amount);
            case 'd' -> Duration.ofDays(amount);
            default -> Duration.ZERO;
        };
        return time.isPositive() ? Optional.of(time) : Optional.empty();
    }
}
