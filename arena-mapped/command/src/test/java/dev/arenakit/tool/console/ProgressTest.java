package dev.arenakit.tool.console;

import dev.arenakit.testing.ChildJvm;
import dev.arenakit.tool.InstalledPrograms;
import dev.arenakit.tool.Main;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class ProgressTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0                   | 0                   | arena: copying 7 s
            1536                | 0                   | arena: copying 1.5 KiB, 7 s
            0                   | 2048                | arena: copying 0 B of 2 KiB, 0 %, 7 s
            2047                | 2048                | arena: copying 2.0 KiB of 2 KiB, 99 %, 7 s
            3072                | 2048                | arena: copying 3 KiB of 2 KiB, 100 %, 7 s
            9223372036854775807 | 9223372036854775807 | arena: copying 8.0 EiB of 8.0 EiB, 100 %, 7 s
            """)
    void text_ofAnyWork_hasWhatIsKnown(long done, long total, String text) {
        assertThat(Progress.text("copying", done, total, 7)).isEqualTo(text);
    }

    /// The command waits for its input until the line has appeared, after two seconds.
    @Test
    @Tag("full")
    void line_ofALongCommand_isOnTheTerminalUntilTheEnd(@TempDir Path directory) throws Exception {
        InstalledPrograms.assume("script", "util-linux");
        assumeTrue(InstalledPrograms.exitCode(directory, directory.resolve("version"), "script", "--version") == 0,
                "needs script of util-linux");
        String command = ChildJvm.granted()
                .command(Main.class, "import", directory.resolve("memory").toString(), "--type",
                        "struct { int64_t id; };", "rows", "-")
                .command()
                .stream()
                .map(word -> "'" + word + "'")
                .collect(joining(" "));
        Process process = new ProcessBuilder("script", "-qec", command, "/dev/null").redirectErrorStream(true).start();
        try (OutputStream in = process.getOutputStream(); InputStream out = process.getInputStream()) {
            in.write("id\n1\n".getBytes(UTF_8));
            in.flush();
            StringBuilder shown = new StringBuilder();
            while (shown.indexOf("\rarena: importing 8 B, ") < 0) {
                int next = out.read();
                assertThat(next).as(shown.toString()).isNotNegative();
                shown.append((char) next);
            }
            in.write("2\n\004".getBytes(UTF_8));
            in.flush();
            assertThat(new String(out.readAllBytes(), UTF_8))
                    .containsPattern("\r +\r\\Q" + directory.resolve("memory")
                            + "\\E: rows: imported 2 structs of 16 B\r\n$");
        } finally {
            process.destroy();
        }
    }
}
