package dev.postern.app.config;

/**
 * Where people are told of calls that wait for them.
 *
 * @param url where messages are posted; may hold references
 * @param secret what they are signed with; may hold references
 * @param outcomes whether it is also told what became of a request
 * @param arguments whether a message holds the call's arguments as a person is shown them
 */
public record ConfiguredWebhook(Setting url, Setting secret, boolean outcomes, boolean arguments) {}
