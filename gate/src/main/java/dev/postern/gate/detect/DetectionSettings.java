package dev.postern.gate.detect;

import dev.postern.detect.DetectionRules;

/** What to look for and what becomes of it, as the configuration says now; it may change at any time. Thread-safe. */
public interface DetectionSettings {
    /** The modes of a server; those of the whole gateway where it has none of its own. */
    DetectionModes modes(String server);

    /** The rules and allow lists. The same instance until they change. */
    DetectionRules rules();

    /** The same modes for every server, and the rules that come with the library. */
    static DetectionSettings of(DetectionModes modes) {
        return new DetectionSettings() {
            @Override
            public DetectionModes modes(String server) {
                return modes;
            }

            @Override
            public DetectionRules rules() {
                return DetectionRules.defaults();
            }
        };
    }
}
