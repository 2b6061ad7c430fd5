package dev.postern.web.api;

import dev.postern.gate.agent.AgentStore;
import dev.postern.gate.agent.Permission;
import dev.postern.gate.approval.Approval;
import dev.postern.gate.approval.RiskReason;
import dev.postern.gate.grant.GrantStore;
import dev.postern.gate.person.Person;
import dev.postern.gate.policy.Kill;
import dev.postern.gate.policy.KillSwitch;
import dev.postern.gate.vault.DestinationRules;
import dev.postern.gate.vault.SecretRecord;
import dev.postern.json.JsonValue;
import dev.postern.mcp.login.Logins;
import dev.postern.secret.SecretValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The fixed forms of what the API and the command line show: one place, so that they cannot differ. None holds a value. */
public final class Documents {
    /** Shorter values are hard to tell from ordinary text (V4). */
    private static final int SHORT_VALUE_CHARACTERS = 8;

    private Documents() {}

    /** A secret without its secret parts (V1). */
    public static Map<String, @Nullable Object> secret(SecretRecord secret) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("id", secret.id());
        document.put("name", secret.name());
        document.put("website", secret.website());
        document.put("username", secret.username());
        document.put("description", secret.description());
        document.put("tags", secret.tags());
        document.put(
                "fields",
                secret.fields().stream().map(field -> field.label()).sorted().toList());
        document.put("allow", rules(secret.destinations()));
        document.put("version", secret.version());
        document.put("owner", secret.owner());
        document.put("created", secret.created());
        document.put("updated", secret.updated());
        return document;
    }

    private static Map<String, List<String>> rules(DestinationRules rules) {
        Map<String, List<String>> document = new LinkedHashMap<>();
        document.put("servers", rules.servers());
        document.put("tools", rules.tools());
        document.put("hosts", rules.hosts());
        return document;
    }

    /** What is to be said of a value that was just written (V4); null for nothing. */
    public static @Nullable String warning(SecretRecord secret, SecretValue value) {
        return value.characters() < SHORT_VALUE_CHARACTERS
                ? "the value of '" + secret.name() + "' is shorter than 8 characters and cannot be scrubbed well."
                : null;
    }

    /** One waiting call, whole: references intact, no value (P8). */
    public static Map<String, @Nullable Object> approval(Approval approval) {
        List<Object> secrets = new ArrayList<>();
        for (Approval.SecretUse use : approval.secrets()) {
            Map<String, @Nullable Object> secret = new LinkedHashMap<>();
            secret.put("name", use.name());
            secret.put("website", use.website());
            secret.put("username", use.username());
            secret.put("field", use.field());
            secrets.add(secret);
        }
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("id", approval.id());
        document.put("agent", approval.agentName());
        document.put("server", approval.server());
        document.put("tool", approval.tool());
        document.put("arguments", JsonValue.parse(approval.arguments()));
        document.put("secrets", secrets);
        document.put("destination", approval.destination());
        document.put("risk", approval.risk());
        document.put(
                "risk_reasons",
                approval.riskReasons().stream().map(RiskReason::name).toList());
        document.put("expires_at", approval.expires());
        return document;
    }

    /** A grant. */
    public static Map<String, @Nullable Object> grant(GrantStore.Grant grant) {
        GrantStore.Scope scope = grant.scope();
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("id", grant.id());
        document.put("agent", scope.agent());
        document.put("agent_name", grant.agentName());
        document.put("tool", scope.tool());
        document.put("secret_id", scope.secret());
        document.put("secret", grant.secretName());
        document.put("field", scope.field().label());
        document.put("destination", scope.destination());
        document.put("expires_at", grant.expires());
        document.put("uses_left", grant.usesLeft());
        document.put("created", grant.created());
        document.put("created_by", grant.createdBy());
        document.put("last_used", grant.lastUsed());
        return document;
    }

    /** A new key of an agent: the only document that holds it. */
    public static Map<String, @Nullable Object> agentKey(AgentStore.NewAgent agent) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("id", agent.id());
        document.put("name", agent.name());
        document.put("key", agent.key());
        return document;
    }

    /** How the gateway is signed in at a server. */
    public static Map<String, @Nullable Object> login(Logins.Status status) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("issuer", status.issuer());
        document.put("scope", status.scope());
        document.put("expires_at", status.expiresAt() > 0 ? Instant.ofEpochSecond(status.expiresAt()) : null);
        document.put("renewable", status.renewable());
        document.put("needs_login", status.refused());
        return document;
    }

    /** An agent, with the visible start of its key. */
    public static Map<String, @Nullable Object> agent(AgentStore.AgentSummary agent) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("id", agent.id());
        document.put("name", agent.name());
        document.put("key_prefix", agent.keyPrefix());
        document.put(
                "denied",
                agent.denied().stream().map(Permission::label).sorted().toList());
        document.put("created", agent.created());
        document.put("last_used", agent.lastUsed());
        document.put("expires_at", agent.expires());
        document.put("revoked", agent.revoked());
        List<Map<String, @Nullable Object>> keys = new ArrayList<>();
        for (AgentStore.KeySummary key : agent.keys()) {
            Map<String, @Nullable Object> one = new LinkedHashMap<>();
            one.put("prefix", key.prefix());
            one.put("created", key.created());
            one.put("expires_at", key.expires());
            one.put("last_used", key.lastUsed());
            one.put("live", !agent.revoked() && key.isLive(Instant.now()));
            keys.add(one);
        }
        document.put("keys", keys);
        return document;
    }

    /** What the kill switch stops, and whether that is everything. */
    public static Map<String, @Nullable Object> kills(KillSwitch killSwitch) {
        List<Map<String, @Nullable Object>> engaged = new ArrayList<>();
        for (Kill kill : killSwitch.engaged()) {
            Map<String, @Nullable Object> one = new LinkedHashMap<>();
            one.put("scope", kill.scope().kind().name());
            one.put("name", kill.scope().name().isEmpty() ? null : kill.scope().name());
            one.put("since", kill.since());
            one.put("actor", kill.actor());
            one.put("reason", kill.reason());
            engaged.add(one);
        }
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("killed", killSwitch.stopsAll());
        document.put("engaged", engaged);
        return document;
    }

    /** Somebody who can sign in. */
    static Map<String, @Nullable Object> person(Person person) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("id", person.id());
        document.put("name", person.name());
        document.put("role", person.role().label());
        document.put("has_passphrase", person.hasPassphrase());
        document.put("created", person.created());
        document.put("created_by", person.createdBy());
        document.put("last_sign_in", person.lastSignIn());
        return document;
    }
}
