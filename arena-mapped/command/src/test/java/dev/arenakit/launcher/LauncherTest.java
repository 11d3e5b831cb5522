package dev.arenakit.launcher;

import java.io.DataInputStream;
import java.io.IOException;
import java.util.Objects;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LauncherTest {
    private static final int MAJOR_VERSION_OF_JAVA_11 = 55;

    @Test
    void classFile_release_isOneThatAnOldJavaRuns() throws IOException {
        try (DataInputStream in = new DataInputStream(
                Objects.requireNonNull(Launcher.class.getResourceAsStream("Launcher.class")))) {
            in.skipNBytes(6);
            assertThat(in.readUnsignedShort()).isEqualTo(MAJOR_VERSION_OF_JAVA_11);
        }
    }

    @Test
    void isUndecoded_inACharsetWithoutTheReplacement_isTrue() {
        assertThat(Launcher.isUndecoded("d\ufffd\ufffdf", "ANSI_X3.4-1968")).isTrue();
        assertThat(Launcher.isUndecoded("d\u00e9f", "ANSI_X3.4-1968")).isFalse();
        assertThat(Launcher.isUndecoded("d\ufffd", "UTF-8")).isFalse();
    }
}
