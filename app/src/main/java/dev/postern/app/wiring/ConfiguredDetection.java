package dev.postern.app.wiring;

import dev.postern.app.config.ConfigFile;
import dev.postern.app.config.ConfiguredServer;
import dev.postern.detect.DetectionRules;
import dev.postern.gate.detect.DetectionModes;
import dev.postern.gate.detect.DetectionSettings;
import java.util.Map;
import java.util.function.Supplier;

/** What the configuration file says of detection, as it is now (D6); before it is read, the defaults. Thread-safe. */
final class ConfiguredDetection implements DetectionSettings {
    private volatile Settings current = new Settings(DetectionModes.DEFAULTS, Map.of(), DetectionRules::defaults);

    /** What one reading of the file said. */
    record Settings(DetectionModes gateway, Map<String, ConfiguredServer> servers, Supplier<DetectionRules> rules) {}

    /**
     * The settings of a file that was read; rules that come with the library are read when they are first needed.
     *
     * @throws dev.postern.app.config.ConfigException if they are wrong
     */
    static Settings read(ConfigFile file, Map<String, ConfiguredServer> servers) {
        Supplier<DetectionRules> rules = DetectionRules::defaults;
        if (file.hasDetectionRules()) {
            DetectionRules own = file.detectionRules();
            rules = () -> own;
        }
        return new Settings(file.detect(), Map.copyOf(servers), rules);
    }

    /** From now on these are the settings. */
    void use(Settings settings) {
        current = settings;
    }

    @Override
    public DetectionModes modes(String server) {
        Settings settings = current;
        ConfiguredServer configured = settings.servers.get(server);
        return configured == null ? settings.gateway : configured.detect();
    }

    @Override
    public DetectionRules rules() {
        return current.rules.get();
    }
}
