package dev.postern.gate.person;

/**
 * An account at an OpenID Connect provider: who somebody is there, for good.
 *
 * @param issuer the provider, as its tokens name it
 * @param subject the account, as the provider names it; unique there, and never given to another
 */
public record ProviderAccount(String issuer, String subject) {}
