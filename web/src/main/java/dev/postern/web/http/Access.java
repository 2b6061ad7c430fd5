package dev.postern.web.http;

import dev.postern.gate.agent.Right;

/** Who may call a route. The router enforces it before an endpoint runs (A1, A2). */
public sealed interface Access {
    /** Anybody, signed in or not. */
    Access OPEN = new Open();

    /** Any agent with a live key, and any person who is signed in. */
    Access CALLER = new AnyCaller();

    /** Any person who is signed in, whatever the role. */
    Access PERSON = new AnyPerson();

    /** Whoever has the right by the role: an agent has those of its role, a person those of theirs. */
    static Access needs(Right right) {
        return new Needs(right);
    }

    /** See {@link #OPEN}. */
    record Open() implements Access {}

    /** See {@link #CALLER}. */
    record AnyCaller() implements Access {}

    /** See {@link #PERSON}. */
    record AnyPerson() implements Access {}

    /** See {@link #needs}. */
    record Needs(Right right) implements Access {}
}
