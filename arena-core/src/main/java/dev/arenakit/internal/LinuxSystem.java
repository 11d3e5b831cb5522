package dev.arenakit.internal;

/// The system for which the declarations of this package are right.
final class LinuxSystem {
    private LinuxSystem() {}

    /// Whether this is Linux on x86-64 or aarch64. This class needs no native access.
    static boolean isKnown() {
        String architecture = System.getProperty("os.arch");
        return System.getProperty("os.name").equals("Linux")
                && (architecture.equals("amd64") || architecture.equals("aarch64"));
    }

    /// The system and the architecture, for messages.
    static String describe() {
        return "system=" + System.getProperty("os.name") + ", architecture=" + System.getProperty("os.arch");
    }
}
