package dev.postern.gate.vault;

import dev.postern.gate.agent.Caller;

/** The vault as each agent sees it. */
@FunctionalInterface
public interface Vaults {
    /** What this agent may refer to. */
    Vault of(Caller caller);
}
