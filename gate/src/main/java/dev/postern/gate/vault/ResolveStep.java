package dev.postern.gate.vault;

import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.Refusal;
import dev.postern.gate.call.RefusedException;
import dev.postern.gate.call.ToolDefinition;
import dev.postern.gate.definition.Pins;
import dev.postern.gate.policy.Judged;
import dev.postern.json.JsonValue;
import dev.postern.reference.Placement;
import dev.postern.reference.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Step 7: the secrets a call names exist, hold what is asked for, and may go where the call goes. */
public final class ResolveStep {
    private final Vaults vaults;
    private final Pins pins;
    private final DestinationArguments destinationArguments;

    /**
     * Over the vaults of the callers.
     *
     * @param destinationArguments what was declared of tools that lead somewhere
     */
    public ResolveStep(Vaults vaults, Pins pins, DestinationArguments destinationArguments) {
        this.vaults = vaults;
        this.pins = pins;
        this.destinationArguments = destinationArguments;
    }

    /**
     * Finds every secret the call names and checks that it may go where the call goes.
     *
     * @throws RefusedException {@code SECRET_UNRESOLVED} for an unknown secret, an empty field or a fault of the vault;
     *     {@code SECRET_FORBIDDEN} where tag or destination forbids it
     */
    public Resolved resolve(Judged judged) {
        Vault vault = vaults.of(judged.call().caller());
        List<SecretUse> uses = new ArrayList<>();
        for (Reference reference : judged.referenced().references()) {
            uses.add(new SecretUse(reference, found(reference, vault)));
        }
        boolean unasked = uses.isEmpty() && !judged.ask();
        Destination destination =
                unasked ? Destination.unread(judged.call()) : Destination.of(judged.call(), destinationArguments);
        uses.forEach(use -> refuseForbidden(use.reference(), use.secret(), destination));
        refuseMirrored(judged);
        if (!uses.isEmpty()) {
            pins.check(judged.call());
        }
        return new Resolved(judged, uses, destination);
    }

    /** The vault's part of step 9: the same secrets, at the same versions, still allowed to go there (P6). */
    public void confirm(Resolved resolved) {
        if (!resolved.bearsSecrets()) {
            return;
        }
        pins.check(resolved.call());
        Destination destination = Destination.of(resolved.call(), destinationArguments);
        if (!destination.label().equals(resolved.destination())) {
            throw new RefusedException(Refusal.of(
                    Disposition.SECRET_FORBIDDEN,
                    true,
                    "what the operator declares of where this tool leads was changed while the call waited",
                    "Send the same call again to ask anew"));
        }
        Vault vault = vaults.of(resolved.call().caller());
        for (SecretUse use : resolved.uses()) {
            SecretRecord now = found(use.reference(), vault);
            refuseForbidden(use.reference(), now, destination);
            if (!now.id().equals(use.secret().id())
                    || now.version() != use.secret().version()) {
                throw new RefusedException(Refusal.of(
                        Disposition.SECRET_UNRESOLVED,
                        true,
                        "the secret of " + use.reference().canonical() + " was changed while the call waited",
                        "Send the same call again to ask for the new value"));
            }
        }
    }

    private static SecretRecord found(Reference reference, Vault vault) {
        SecretRecord secret = find(reference, vault)
                .orElseThrow(() -> unresolved(
                        "there is no secret for " + reference.canonical(),
                        "List the secrets with vault_list, or ask the operator to add it"));
        if (!secret.fields().contains(reference.field())) {
            throw unresolved(
                    "the field of " + reference.canonical() + " is empty",
                    "Use a field that vault_list shows, or ask the operator to fill it");
        }
        return secret;
    }

    private static void refuseForbidden(Reference reference, SecretRecord secret, Destination destination) {
        if (secret.tags().contains(SecretRecord.AI_PROVIDER)) {
            throw forbidden(
                    reference.canonical() + " is tagged ai-provider and is never delivered", "Use another secret");
        }
        if (!destination.isAllowedBy(secret.destinations())) {
            throw forbidden(
                    reference.canonical() + " may not go to " + destination.label(),
                    "Use a tool its destination rules allow, or ask the operator to change them");
        }
    }

    private static Optional<SecretRecord> find(Reference reference, Vault vault) {
        try {
            return vault.find(reference);
        } catch (VaultException e) {
            throw new RefusedException(unavailable());
        }
    }

    /** A parameter mirrored into an HTTP header would leave the value in intermediaries' logs. */
    private static void refuseMirrored(Judged judged) {
        ToolDefinition definition = judged.call().definition();
        JsonValue schema = definition == null ? null : definition.inputSchema();
        if (schema == null) {
            return;
        }
        for (Placement placement : judged.referenced().placements()) {
            JsonValue property = schema;
            for (String step : placement.pointer().substring(1).split("/", -1)) {
                property = property == null
                        ? null
                        : property.path("properties", step.replace("~1", "/").replace("~0", "~"));
            }
            if (property != null && property.member("x-mcp-header") != null) {
                throw forbidden(
                        "'" + placement.pointer() + "' is mirrored into an HTTP header, which intermediaries log",
                        "Pass the secret in another parameter");
            }
        }
    }

    /** The vault or one of its envelopes cannot be opened. */
    public static Refusal unavailable() {
        return Refusal.of(
                Disposition.SECRET_UNRESOLVED,
                true,
                "the vault cannot open a secret of this call",
                "Ask the operator to run 'postern vault check'");
    }

    private static RefusedException unresolved(String what, String next) {
        return new RefusedException(Refusal.of(Disposition.SECRET_UNRESOLVED, false, what, next));
    }

    private static RefusedException forbidden(String what, String next) {
        return new RefusedException(Refusal.of(Disposition.SECRET_FORBIDDEN, false, what, next));
    }
}
