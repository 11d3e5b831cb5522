package dev.arenakit.internal.nativecall;

import java.io.ByteArrayOutputStream;
import java.nio.file.Path;

/// The system for which the C declarations of this package hold. This class needs no native access.
public final class LinuxSystem {
    private LinuxSystem() {}

    /// Whether this is Linux on x86-64 or aarch64.
    public static boolean isKnown() {
        String architecture = System.getProperty("os.arch");
        return System.getProperty("os.name").equals("Linux")
                && (architecture.equals("amd64") || architecture.equals("aarch64"));
    }

    /// Returns a path as system calls take it: its bytes, terminated by a zero.
    ///
    /// The bytes come from the URI, which contains all bytes. [Path#toString] loses the bytes that the encoding of the
    /// locale cannot represent.
    public static byte[] nameOf(Path path) {
        String uri = path.toUri().getRawPath();
        ByteArrayOutputStream name = new ByteArrayOutputStream(uri.length() + 1);
        for (int i = 0; i < uri.length(); i++) {
            char character = uri.charAt(i);
            if (character == '%') {
                name.write(Integer.parseInt(uri, i + 1, i + 3, 16));
                i += 2;
            } else {
                name.write(character);
            }
        }
        name.write(0);
        return name.toByteArray();
    }

    /// The system and the architecture, for messages.
    public static String describe() {
        return "system=" + System.getProperty("os.name") + ", architecture=" + System.getProperty("os.arch");
    }
}
