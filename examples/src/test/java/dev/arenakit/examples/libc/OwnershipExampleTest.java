package dev.arenakit.examples.libc;

import dev.arenakit.examples.CapturedOutput;
import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

@EnabledOnOs(OS.LINUX)
class OwnershipExampleTest {
    @TempDir
    Path directory;

    @Test
    void run_printsWhatCHasAllocatedAndResized() throws IOException {
        CapturedOutput printed = new CapturedOutput();
        OwnershipExample.run(printed.stream(), file());
        assertThat(printed).hasToString(expected());
    }

    /// The malloc that glibc has for tests terminates a process that frees a block twice, or frees an address that is
    /// none of malloc.
    @Test
    void main_withGlibcsDebugLibrary_freesEachBlockOnce() throws IOException {
        Path library = Path.of("/usr/lib/x86_64-linux-gnu/libc_malloc_debug.so.0");
        assumeTrue(Files.exists(library), library + " is not installed");
        assertThat(ChildJvm.onClassPath("--enable-native-access=ALL-UNNAMED",
                "-XX:+SuppressFatalErrorMessage")
                .withEnvironment(Map.of("LD_PRELOAD", library.toString(), "MALLOC_CHECK_", "3"))
                .run(OwnershipExample.class, file().toString())).isEqualTo(new ChildJvm.Result(0, expected()));
    }

    @Test
    void run_ofAFileThatIsMissing_throws() {
        Path missing = directory.resolve("missing");
        assertThatThrownBy(() -> OwnershipExample.run(System.out, missing)).isInstanceOf(IOException.class)
                .hasMessage("realpath has failed: file=" + missing);
    }

    private Path file() throws IOException {
        return Files.writeString(directory.resolve("file"), "short\na line that is longer than the first block\n");
    }

    private String expected() throws IOException {
        return """
                %s
                16 bytes hold short
                44 bytes hold a line that is longer than the first block
                6 blocks are left to the arena
                """
                .formatted(directory.toRealPath().resolve("file"));
    }
}
