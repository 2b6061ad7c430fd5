package dev.postern.app.browser;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.testkit.leak.Leak;
import dev.postern.testkit.leak.LeakFinder;
import java.util.List;
import java.util.Optional;

/** Looks for values in what a browser was sent, in every encoding. */
final class Leaks {
    private Leaks() {}

    static Optional<Leak> in(String text, String... values) {
        return new LeakFinder(List.of(values), List.of()).inText(text.getBytes(UTF_8));
    }
}
