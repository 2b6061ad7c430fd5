package dev.postern.app.cli;

import dev.postern.app.Version;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints. */
final class VersionProvider implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"postern " + Version.current()};
    }
}
