package dev.postern.app.posix;

/** The numbers that differ between the systems; all others used here are the same on both. */
public enum Platform {
    LINUX(0x80, 0x5413, 0x5414, 0x100, 0x0100_0000, 4, Integer.BYTES),
    MACOS(0x400, 0x4008_7468L, 0x8008_7467L, 0x2_0000, 0x20, 8, Long.BYTES);

    /** {@code POSIX_SPAWN_SETSID}. */
    final int spawnInNewSession;

    /** {@code TIOCGWINSZ}. */
    final long getWindowSize;

    /** {@code TIOCSWINSZ}. */
    final long setWindowSize;

    /** {@code O_NOCTTY}. */
    final int openWithoutControl;

    /** {@code WNOWAIT}. */
    final int waitWithoutReaping;

    /** Where {@code c_oflag} stands in {@code struct termios}. */
    final int outputModesOffset;

    /** How wide a member of {@code struct termios} is. */
    final int modesBytes;

    Platform(
            int spawnInNewSession,
            long getWindowSize,
            long setWindowSize,
            int openWithoutControl,
            int waitWithoutReaping,
            int outputModesOffset,
            int modesBytes) {
        this.spawnInNewSession = spawnInNewSession;
        this.getWindowSize = getWindowSize;
        this.setWindowSize = setWindowSize;
        this.openWithoutControl = openWithoutControl;
        this.waitWithoutReaping = waitWithoutReaping;
        this.outputModesOffset = outputModesOffset;
        this.modesBytes = modesBytes;
    }

    /** Whether the rest of this package works here. */
    public static boolean isSupported() {
        String name = systemName();
        return name.equals("Linux") || name.startsWith("Mac");
    }

    static Platform current() {
        return systemName().equals("Linux") ? LINUX : MACOS;
    }

    private static String systemName() {
        return System.getProperty("os.name", "");
    }
}
