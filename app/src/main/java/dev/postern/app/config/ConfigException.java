package dev.postern.app.config;

/** A configuration that cannot be used. The message names file, line, place and remedy in one sentence, and no setting's text. */
public final class ConfigException extends RuntimeException {
    ConfigException(String message) {
        super(message, null, false, false);
    }
}
