package dev.postern.gate.policy;

/** A policy document that cannot be applied. The message names the place and the remedy. */
public final class PolicyException extends RuntimeException {
    PolicyException(String what) {
        super(what, null, false, false);
    }
}
