package dev.postern.app;

/** The version in the jar's manifest. */
public final class Version {
    private Version() {}

    /** Such as {@code 0.1.0-SNAPSHOT}; {@code development} outside of a jar. */
    public static String current() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
