package dev.postern.scrub;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Placeholder shape of S9's memory, for those who compile against it. */
public final class RecentValues {
    public RecentValues(InstantSource clock) {}

    public void remember(String user, LiveSecret secret) {}

    public List<LiveSecret> valuesOf(String user) {
        return new ArrayList<>();
    }
}
