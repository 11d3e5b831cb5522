package dev.arenakit.examples;

import dev.arenakit.examples.ElfFile.UnreadableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class ReadElfTest {
    @TempDir
    private Path directory;

    /// Two binaries of every JDK, `ls`, and the start file that C compilers link to each program.
    static Stream<Path> binaries() {
        Path jdk = Path.of(System.getProperty("java.home"));
        return Stream.of(jdk.resolve("bin/java"), jdk.resolve("lib/server/libjvm.so"), Path.of("/bin/ls"),
                Path.of("/usr/lib/x86_64-linux-gnu/crt1.o"), Path.of("/usr/lib/aarch64-linux-gnu/crt1.o"))
                .filter(Files::exists);
    }

    @ParameterizedTest
    @MethodSource("binaries")
    void run_printsWhatReadelfPrints(Path binary) throws Exception {
        String expected = readelf(binary);
        CapturedOutput printed = new CapturedOutput();
        ReadElf.run(printed.stream(), binary);
        assertThat(printed).hasToString(expected);
    }

    @Test
    void run_ofAFileThatIsNoBinary_throws() throws IOException {
        Path text = Files.writeString(directory.resolve("text"), "text\n".repeat(100));
        assertThatExceptionOfType(UnreadableException.class)
                .isThrownBy(() -> ReadElf.run(new CapturedOutput().stream(), text))
                .withMessage("File is no ELF binary: path=" + text + ", magic=0x74786574");
    }

    @Test
    void run_ofABinaryOf32Bits_throws() throws IOException {
        byte[] header = new byte[64];
        System.arraycopy(new byte[]{0x7f, 'E', 'L', 'F', 1, 1, 1}, 0, header, 0, 7);
        Path small = Files.write(directory.resolve("small"), header);
        assertThatExceptionOfType(UnreadableException.class)
                .isThrownBy(() -> ReadElf.run(new CapturedOutput().stream(), small))
                .withMessage("Binary is not 64 bits wide and little-endian: path=" + small + ", EI_CLASS=1, EI_DATA=1");
    }

    @Test
    void run_ofATruncatedBinary_throws() throws IOException {
        byte[] bytes = Files.readAllBytes(Path.of(System.getProperty("java.home"), "bin", "java"));
        assumeTrue(bytes[0] == 0x7f && bytes[4] == 2, "No ELF binary of 64 bits runs this");
        Path half = Files.write(directory.resolve("half"), Arrays.copyOf(bytes, bytes.length / 2));
        assertThatExceptionOfType(UnreadableException.class)
                .isThrownBy(() -> ReadElf.run(new CapturedOutput().stream(), half))
                .withMessageStartingWith("Binary has no section table of the usual kind: path=" + half);
    }

    private static String readelf(Path binary) throws InterruptedException {
        try {
            ProcessBuilder builder = new ProcessBuilder("readelf", "-h", "-S", binary.toString());
            builder.environment().put("LC_ALL", "C");
            Process process = builder.start();
            String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
            assertThat(process.waitFor()).isZero();
            return printed;
        } catch (IOException e) {
            assumeTrue(false, "readelf is not installed (Debian: binutils): " + e.getMessage());
            throw new AssertionError(e);
        }
    }
}
