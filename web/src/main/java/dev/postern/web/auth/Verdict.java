package dev.postern.web.auth;

import dev.postern.gate.person.Person;
import java.time.Duration;

/** What a try with a passphrase came to: exactly one of these. */
public sealed interface Verdict {
    /** It is them. */
    record Right(Person person) implements Verdict {}

    /** No such person, no passphrase, or another one: nobody is told which. */
    record Wrong() implements Verdict {}

    /** Too many tries; this one was not looked at. */
    record Wait(Duration remaining) implements Verdict {}
}
