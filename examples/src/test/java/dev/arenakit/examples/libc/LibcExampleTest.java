package dev.arenakit.examples.libc;

import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import dev.arenakit.examples.CapturedOutput;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/// Tests the calls written by hand, and the generated calls under the profile `jextract`. Both have the same results.
@ParameterizedClass
@MethodSource("libraries")
class LibcExampleTest {
    @TempDir
    Path directory;

    private final Libc libc;
    private final SlabPool pool = SlabPool.create();
    private final SlabArena arena = pool.openConfined();

    LibcExampleTest(Libc libc) {
        this.libc = libc;
    }

    static List<Libc> libraries() throws ReflectiveOperationException {
        List<Libc> libraries = new ArrayList<>();
        if (HandWrittenLibc.isForThisSystem()) {
            libraries.add(new HandWrittenLibc());
        }
        if (Boolean.getBoolean("jextract.ran")) {
            libraries.add(generated());
        }
        assumeFalse(libraries.isEmpty(), "needs glibc 2.33 on x86-64 or aarch64, or -Pjextract");
        return libraries;
    }

    /// Loads the class that only the profile `jextract` compiles.
    private static Libc generated() throws ReflectiveOperationException {
        return Class.forName("dev.arenakit.examples.libc.GeneratedLibc")
                .asSubclass(Libc.class)
                .getConstructor()
                .newInstance();
    }

    @AfterEach
    void close() {
        arena.close();
        pool.close();
    }

    @Test
    void run_printsTheResultsOfTheCalls() throws IOException {
        Path file = Files.write(directory.resolve("file"), new byte[12_345]);
        CapturedOutput printed = new CapturedOutput();
        LibcExample.run(printed.stream(), file, libc);
        assertThat(printed).hasToString(
                """
                        stat         %s: 12,345 bytes
                        regexec      [height=480, height, 480]
                        getaddrinfo  127.0.0.1:8080
                        10,000 more rounds of all three, each in an arena of its own, used the same 64 KiB
                        """
                        .formatted(file));
    }

    @Test
    void byteSize_ofMoreThanAnIntHolds_isThatOfTheJdk() throws IOException {
        Path file = directory.resolve("sparse");
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(5L << 30);
        }
        assertThat(libc.byteSize(arena, file)).isEqualTo(Files.size(file));
    }

    @Test
    void byteSize_ofAFileThatIsMissing_throws() {
        Path missing = directory.resolve("missing");
        assertThatThrownBy(() -> libc.byteSize(arena, missing)).isInstanceOf(NoSuchFileException.class)
                .hasMessage(missing.toString());
    }

    @Test
    void byteSize_belowAFile_throwsWithTheErrorNumber() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        assertThatThrownBy(() -> libc.byteSize(arena, file.resolve("below"))).isInstanceOf(IOException.class)
                .hasMessageContaining("errno=20"); // ENOTDIR
    }

    @Test
    void match_ofGroups_givesEach() {
        assertThat(libc.match(arena, "(a)|(b)", "b")).containsExactly("b", "", "b");
        assertThat(libc.match(arena, "ü(.*)", "grün, größer")).startsWith("ün, größer");
        assertThat(libc.match(arena, "a", "b")).isEmpty();
    }

    @Test
    void match_ofNoExpression_throwsTheMessageOfTheLibrary() {
        assertThatThrownBy(() -> libc.match(arena, "(", "b")).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Unmatched ( or \\(");
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1,1,127.0.0.1:1", "0x7f000001,65535,127.0.0.1:65535", "10.1,80,10.0.0.1:80"})
    void resolve_ofAnyNotation_givesTheUsualOne(String address, int port, String resolved) throws IOException {
        assertThat(libc.resolve(arena, address, port)).isEqualTo(resolved);
    }

    @Test
    void resolve_ofAName_throwsTheMessageOfTheLibrary() {
        assertThatThrownBy(() -> libc.resolve(arena, "localhost", 80)).isInstanceOf(UnknownHostException.class)
                .hasMessageContaining("localhost");
    }
}
