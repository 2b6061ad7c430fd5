package dev.postern.gate.policy;

import java.util.List;

/** Where the kill switch is kept, so that it survives a restart (A3). */
public interface KillStore {
    /** What is engaged, the oldest first. */
    List<Kill> engaged();

    /** Keeps one; one for the same scope is replaced. */
    void engage(Kill kill);

    /** Takes one away; false if it was not there. */
    boolean release(Kill.Scope scope, String actor);
}
