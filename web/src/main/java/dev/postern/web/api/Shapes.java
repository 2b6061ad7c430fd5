package dev.postern.web.api;

import dev.postern.web.http.Schema;

/** The schemas of {@link Documents}. */
final class Shapes {
    static final Schema NAMES = Schema.list(Schema.text("A name."));

    static final Schema ALLOW =
            Schema.object().optional("servers", NAMES).optional("tools", NAMES).optional("hosts", NAMES);

    static final Schema SECRET = Schema.object()
            .with("id", Schema.text("A UUID."))
            .with("name", Schema.text("What an agent writes in {{vault:NAME}}."))
            .with("website", Schema.text("Where it is used.").orNull())
            .with("username", Schema.text("Who it belongs to.").orNull())
            .with("description", Schema.text("What agents see of it.").orNull())
            .with("tags", NAMES)
            .with("fields", Schema.list(Schema.oneOf("What holds something.", "password", "username", "notes")))
            .with("allow", ALLOW)
            .with("version", Schema.number("Grows with each change."))
            .with("owner", Schema.text("Whose it is."))
            .with("created", Schema.instant("When it was added."))
            .with("updated", Schema.instant("When it was changed."));

    static final Schema APPROVAL = Schema.object()
            .with("id", Schema.text("Names the request."))
            .with("agent", Schema.text("Who calls."))
            .with("server", Schema.text("Where it goes."))
            .with("tool", Schema.text("Without its server."))
            .with("arguments", Schema.any("As the agent wrote them, references intact."))
            .with(
                    "secrets",
                    Schema.list(Schema.object()
                            .with("name", Schema.text("The secret's name."))
                            .with("website", Schema.text("Where it is used.").orNull())
                            .with("username", Schema.text("Who it belongs to.").orNull())
                            .with("field", Schema.text("What would be delivered."))))
            .with("destination", Schema.text("The host, where one is known."))
            .with("risk", Schema.oneOf("How bad it could be.", "HIGH", "CRITICAL"))
            .with("risk_reasons", Schema.list(Schema.text("A code.")))
            .with("expires_at", Schema.instant("When nobody can decide any more."));

    static final Schema GRANT = Schema.object()
            .with("id", Schema.text("Names the grant."))
            .with("agent", Schema.text("The agent's id."))
            .with("tool", Schema.text("The tool it holds for."))
            .with("secret_id", Schema.text("The secret's id."))
            .with("secret", Schema.text("The secret's name.").orNull())
            .with("field", Schema.text("The field it holds for."))
            .with("destination", Schema.text("The host it holds for."))
            .with("expires_at", Schema.instant("Null: until revoked.").orNull())
            .with("uses_left", Schema.number("Null: any number.").orNull())
            .with("created", Schema.instant("When it was made."))
            .with("created_by", Schema.text("Who made it."))
            .with("last_used", Schema.instant("When it was last used.").orNull());

    static final Schema AGENT = Schema.object()
            .with("id", Schema.text("Names the agent."))
            .with("name", Schema.text("What people call it."))
            .with("key_prefix", Schema.text("The visible start of its key."))
            .with("denied", Schema.list(Schema.oneOf("A permission it lacks.", "tool.call", "secret.use")))
            .with("created", Schema.instant("When it was added."))
            .with("last_used", Schema.instant("When its key was last used.").orNull())
            .with("revoked", Schema.flag("Whether its key is dead."));

    static final Schema KILLS = Schema.object()
            .with("killed", Schema.flag("Whether every call is stopped."))
            .with(
                    "engaged",
                    Schema.list(Schema.object()
                            .with("scope", Schema.oneOf("What is stopped.", "ALL", "AGENT", "SERVER"))
                            .with("name", Schema.text("Of the agent or server.").orNull())
                            .with("since", Schema.instant("When it was engaged."))
                            .with("actor", Schema.text("Who engaged it."))
                            .with("reason", Schema.text("Why.").orNull())));

    static final Schema PERSON = Schema.object()
            .with("id", Schema.text("Names the person."))
            .with("name", Schema.text("What the ledger calls them."))
            .with("role", Schema.oneOf("What they may do.", "member", "approver", "admin"))
            .with("has_passphrase", Schema.flag("Whether one is set."))
            .with("created", Schema.instant("When they were invited."))
            .with("created_by", Schema.text("Who invited them."))
            .with("last_sign_in", Schema.instant("When they last signed in.").orNull());

    /** A line as {@code ledger export} prints it. */
    static final Schema LEDGER_LINE = Schema.object()
            .with("id", Schema.text("The call's id."))
            .with("at", Schema.instant("When the call came in."))
            .with("agent", Schema.text("Who called."))
            .with("server", Schema.text("Where it went."))
            .with("tool", Schema.text("Without its server."))
            .with("arguments", Schema.any("References intact, detected secrets masked."))
            .with("secret_refs", Schema.list(Schema.text("<id>.<field>")))
            .with("disposition", Schema.text("What became of it."))
            .with("code", Schema.text("The refusal's code.").orNull())
            .with("approver", Schema.text("Who approved.").orNull())
            .with("duration_ms", Schema.number("How long it took."))
            .with("result_bytes", Schema.number("What the agent received."))
            .with("scrub_hits", Schema.number("How often a value was taken out."))
            .with("error", Schema.text("Scrubbed.").orNull())
            .with("prev_hash", Schema.text("The line before."))
            .with("hash", Schema.text("This line."));

    private Shapes() {}

    /** An object with one list. */
    static Schema listOf(String name, Schema items) {
        return Schema.object().with(name, Schema.list(items));
    }

    /** A list of which there may be more. */
    static Schema pageOf(String name, Schema items) {
        return listOf(name, items)
                .with(
                        "next",
                        Schema.text("Where the next page begins; null at the end.")
                                .orNull());
    }
}
