package dev.postern.app.wiring;

import dev.postern.app.config.ConfigFile;
import dev.postern.app.config.ConfiguredOpenId;
import dev.postern.app.config.Setting;
import dev.postern.web.openid.OpenIdProvider;
import dev.postern.web.openid.OpenIdSettings;
import org.jspecify.annotations.Nullable;

/**
 * The provider with whose accounts people sign in, made from the configuration.
 *
 * @param address scheme, host and port of the portal, as the provider knows it
 */
record OpenIdSignIn(OpenIdSettings settings, OpenIdProvider provider, String address) implements AutoCloseable {
    /** Null where none is configured. */
    static @Nullable OpenIdSignIn of(ConfigFile file, SettingResolver resolver, String address) {
        ConfiguredOpenId configured = file.openId(System::getenv);
        if (configured == null) {
            return null;
        }
        Setting secret = configured.clientSecret();
        OpenIdSettings settings = new OpenIdSettings(
                configured.issuer(),
                configured.name(),
                configured.clientId(),
                secret == null ? null : () -> resolver.resolveForOpenId(secret),
                configured.clientAuthentication(),
                configured.scopes(),
                configured.subjects(),
                configured.claim(),
                configured.rolesClaim(),
                configured.roles());
        return new OpenIdSignIn(settings, new OpenIdProvider(settings), address);
    }

    @Override
    public void close() {
        provider.close();
    }
}
