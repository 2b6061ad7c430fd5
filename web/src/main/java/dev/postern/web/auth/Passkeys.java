package dev.postern.web.auth;

import com.webauthn4j.WebAuthnManager;
import com.webauthn4j.converter.AttestedCredentialDataConverter;
import com.webauthn4j.converter.util.ObjectConverter;
import com.webauthn4j.credential.CredentialRecordImpl;
import com.webauthn4j.data.AuthenticationData;
import com.webauthn4j.data.AuthenticationParameters;
import com.webauthn4j.data.AuthenticationRequest;
import com.webauthn4j.data.PublicKeyCredentialParameters;
import com.webauthn4j.data.PublicKeyCredentialType;
import com.webauthn4j.data.RegistrationData;
import com.webauthn4j.data.RegistrationParameters;
import com.webauthn4j.data.RegistrationRequest;
import com.webauthn4j.data.attestation.authenticator.AttestedCredentialData;
import com.webauthn4j.data.attestation.authenticator.AuthenticatorData;
import com.webauthn4j.data.attestation.statement.COSEAlgorithmIdentifier;
import com.webauthn4j.data.client.Origin;
import com.webauthn4j.data.client.challenge.DefaultChallenge;
import com.webauthn4j.server.ServerProperty;
import dev.postern.gate.person.Passkey;
import dev.postern.gate.person.PasskeyStore;
import dev.postern.gate.person.Person;
import dev.postern.json.JsonException;
import dev.postern.json.JsonValue;
import dev.postern.web.auth.RelyingParty.Party;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Passkeys (WebAuthn Level 3, section 7): makes challenges, and checks what authenticators sign. A challenge is random, for
 * one purpose, and taken once; the origin and the host name are ours; the person was verified by the device; the count of
 * signatures grows where the device counts. Thread-safe.
 */
final class Passkeys {
    /** Signatures that are taken, best first: ES256, EdDSA, RS256, by their COSE numbers. */
    static final List<Long> ALGORITHMS = List.of(-7L, -8L, -257L);

    private static final int LONGEST_NAME = 64;

    private final PasskeyStore store;
    private final Challenges challenges;
    private final InstantSource clock;

    Passkeys(PasskeyStore store, InstantSource clock) {
        this.store = store;
        this.challenges = new Challenges(clock);
        this.clock = clock;
    }

    /** The library, loaded when the first passkey is used. */
    private static final class Library {
        static final WebAuthnManager MANAGER = WebAuthnManager.createNonStrictWebAuthnManager();
        static final AttestedCredentialDataConverter CREDENTIALS =
                new AttestedCredentialDataConverter(new ObjectConverter());
        static final List<PublicKeyCredentialParameters> PARAMETERS = ALGORITHMS.stream()
                .map(algorithm -> new PublicKeyCredentialParameters(
                        PublicKeyCredentialType.PUBLIC_KEY, COSEAlgorithmIdentifier.create(algorithm)))
                .toList();

        private Library() {}
    }

    /** It was not taken; nobody is told more than this. */
    static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1;

        RefusedException() {
            super("the passkey was not accepted", null, false, false);
        }
    }

    /** What a browser sends after a new passkey was made; texts are base64url. */
    record Made(String clientData, String attestation) {}

    /** What a browser sends after a passkey signed; texts are base64url. */
    record Signed(
            String credential,
            String clientData,
            String authenticatorData,
            String signature,
            @Nullable String user) {}

    List<Passkey> of(String person) {
        return store.of(person);
    }

    boolean isAnyFor(Party party) {
        return store.isAnyFor(party.id());
    }

    boolean remove(String id, String person) {
        return store.remove(id, person);
    }

    /** A new challenge, in base64url. */
    String challenge(Purpose purpose) {
        return challenges.make(purpose);
    }

    /** The user handle that authenticators keep: the person's id, which says nothing of them. */
    static String handle(String person) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(person.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    }

    /**
     * Adds a passkey.
     *
     * @throws IllegalArgumentException if its name will not do, or there are too many
     */
    Passkey add(Person person, Party party, Purpose.Add purpose, String name, Made made) throws RefusedException {
        String called = name.strip();
        if (called.isEmpty() || called.length() > LONGEST_NAME) {
            throw new IllegalArgumentException("A passkey's name has 1 to " + LONGEST_NAME + " characters.");
        }
        byte[] clientData = bytes(made.clientData());
        byte[] challenge = challenge(clientData);
        ServerProperty server = server(party, challenge);
        RegistrationData data;
        try {
            data = Library.MANAGER.verify(
                    new RegistrationRequest(bytes(made.attestation()), clientData),
                    new RegistrationParameters(server, Library.PARAMETERS, true, true));
        } catch (RuntimeException e) {
            throw new RefusedException(); // whatever was wrong with it; the library's words may quote it
        }
        spend(challenge, purpose);
        AuthenticatorData<?> authenticator =
                Objects.requireNonNull(data.getAttestationObject()).getAuthenticatorData();
        AttestedCredentialData credential = Objects.requireNonNull(authenticator.getAttestedCredentialData());
        Passkey passkey = new Passkey(
                UUID.randomUUID().toString(),
                person.id(),
                called,
                party.id(),
                text(credential.getCredentialId()),
                text(Library.CREDENTIALS.convert(credential)),
                authenticator.isFlagBE(),
                authenticator.getSignCount(),
                clock.instant(),
                null);
        store.add(passkey);
        return passkey;
    }

    /** Whose passkey signed a challenge. The caller checks that it is whom it takes. */
    String verify(Party party, Purpose purpose, Signed signed) throws RefusedException {
        byte[] clientData = bytes(signed.clientData());
        byte[] challenge = challenge(clientData);
        ServerProperty server = server(party, challenge);
        Optional<Passkey> found = store.find(signed.credential())
                .filter(passkey -> passkey.relyingParty().equals(party.id()))
                .filter(passkey -> signed.user() == null || signed.user().equals(handle(passkey.person())));
        Passkey passkey = found.orElseThrow(RefusedException::new);
        AuthenticationData data;
        try {
            data = Library.MANAGER.verify(
                    new AuthenticationRequest(
                            bytes(signed.credential()),
                            bytes(signed.authenticatorData()),
                            clientData,
                            bytes(signed.signature())),
                    new AuthenticationParameters(server, record(passkey), null, true, true));
        } catch (RuntimeException e) {
            throw new RefusedException();
        }
        spend(challenge, purpose);
        long signatures = Objects.requireNonNull(data.getAuthenticatorData()).getSignCount();
        if (!store.used(passkey.id(), signatures, clock.instant())) {
            throw new RefusedException();
        }
        return passkey.person();
    }

    private static CredentialRecordImpl record(Passkey passkey) throws RefusedException {
        AttestedCredentialData credential = Library.CREDENTIALS.convert(bytes(passkey.publicKey()));
        return new CredentialRecordImpl(
                null, true, passkey.isBackupEligible(), null, passkey.signatures(), credential, null, null, null, null);
    }

    private static ServerProperty server(Party party, byte[] challenge) {
        return ServerProperty.builder()
                .origin(Origin.create(party.origin()))
                .rpId(party.id())
                .challenge(new DefaultChallenge(challenge))
                .build();
    }

    /** What a browser says was signed; whether it was made here is seen when it is spent. */
    private static byte[] challenge(byte[] clientData) throws RefusedException {
        try {
            String challenge = JsonValue.parse(clientData).string("challenge");
            return bytes(challenge == null ? "" : challenge);
        } catch (JsonException e) {
            throw new RefusedException();
        }
    }

    /** Takes a challenge once, and only after its answer was found to be right: so nobody else fills the store with answers. */
    private void spend(byte[] challenge, Purpose purpose) throws RefusedException {
        Instant lapses = challenges.lapses(challenge, purpose).orElseThrow(RefusedException::new);
        if (!store.spendChallenge(Tokens.hash(text(challenge)), lapses, clock.instant())) {
            throw new RefusedException();
        }
    }

    private static byte[] bytes(String base64url) throws RefusedException {
        try {
            return Base64.getUrlDecoder().decode(base64url);
        } catch (IllegalArgumentException e) {
            throw new RefusedException();
        }
    }

    private static String text(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
