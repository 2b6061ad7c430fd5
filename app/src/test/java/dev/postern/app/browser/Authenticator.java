package dev.postern.app.browser;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Page;

/** A device that keeps passkeys, as Chromium plays one, attached to one tab. */
final class Authenticator {
    private static final String SIGN = """
            async ({options, verification, allow}) => {
              const decode = (text) => Uint8Array.from(
                atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
              const encode = (buffer) => buffer && btoa(String.fromCharCode(...new Uint8Array(buffer)))
                .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
              const publicKey = JSON.parse(options);
              publicKey.challenge = decode(publicKey.challenge);
              publicKey.userVerification = verification;
              if (!allow) publicKey.allowCredentials = [];
              for (const allowed of publicKey.allowCredentials) allowed.id = decode(allowed.id);
              const credential = await navigator.credentials.get({publicKey});
              const {clientDataJSON, authenticatorData, signature, userHandle} = credential.response;
              return JSON.stringify({id: credential.id, response: {clientDataJSON: encode(clientDataJSON),
                authenticatorData: encode(authenticatorData), signature: encode(signature), userHandle: encode(userHandle)}});
            }""";

    private final CDPSession session;
    private final Page page;
    private final String id;

    Authenticator(Page page) {
        this.page = page;
        session = page.context().newCDPSession(page);
        session.send("WebAuthn.enable");
        JsonObject options = new JsonObject();
        options.addProperty("protocol", "ctap2");
        options.addProperty("transport", "usb");
        options.addProperty("hasResidentKey", true);
        options.addProperty("hasUserVerification", true);
        options.addProperty("isUserVerified", true);
        options.addProperty("automaticPresenceSimulation", true);
        JsonObject parameters = new JsonObject();
        parameters.add("options", options);
        id = session.send("WebAuthn.addVirtualAuthenticator", parameters)
                .get("authenticatorId")
                .getAsString();
    }

    private JsonObject parameters() {
        JsonObject parameters = new JsonObject();
        parameters.addProperty("authenticatorId", id);
        return parameters;
    }

    /** Whether the device sees that it is its owner who holds it. */
    void verifiesItsOwner(boolean verified) {
        JsonObject parameters = parameters();
        parameters.addProperty("isUserVerified", verified);
        session.send("WebAuthn.setUserVerified", parameters);
    }

    JsonArray passkeys() {
        return session.send("WebAuthn.getCredentials", parameters()).getAsJsonArray("credentials");
    }

    void take(JsonObject passkey) {
        JsonObject parameters = parameters();
        parameters.add("credential", passkey);
        session.send("WebAuthn.addCredential", parameters);
    }

    void forget() {
        session.send("WebAuthn.clearCredentials", parameters());
    }

    /** Signs a challenge on the page that is open, whatever the page is. */
    String sign(String options) {
        return sign(options, "required", true);
    }

    String sign(String options, String verification, boolean onlyThoseAllowed) {
        return (String) page.evaluate(
                SIGN, java.util.Map.of("options", options, "verification", verification, "allow", onlyThoseAllowed));
    }
}
