package dev.postern.gate.testing;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until it is moved. */
public final class TestClock implements InstantSource {
    private volatile Instant now = Instant.parse("2026-07-28T09:00:00Z");

    @Override
    public Instant instant() {
        return now;
    }

    public void advance(Duration by) {
        now = now.plus(by);
    }
}
