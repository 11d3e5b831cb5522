package dev.arenakit.tool.console;

import dev.arenakit.tool.ToolRun;
import dev.arenakit.tool.console.Progress.Task;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class OutputTest {
    private final ByteArrayOutputStream target = new ByteArrayOutputStream();
    private final Output output = new Output(target, false, () -> {});
    private static final String ERASE = "\r\u001b[K";
    private final ByteArrayOutputStream terminal = new ByteArrayOutputStream();
    private final PrintStream err = new PrintStream(terminal, true, UTF_8);

    @Test
    void write_piecesOfAllSizes_arriveInOrder() throws IOException {
        Random random = new Random(1);
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        for (int i = 0; i < 200; i++) {
            byte[] piece = new byte[random.nextInt(i % 10 == 0 ? 200_000 : 2_000)];
            random.nextBytes(piece);
            output.write(piece);
            output.write(i);
            expected.write(piece);
            expected.write(i);
        }
        output.flush();
        assertThat(target.toByteArray()).isEqualTo(expected.toByteArray());
        assertThat(output.byteCount()).isEqualTo(expected.size());
    }

    @Test
    void write_little_comesWithTheFlush() throws IOException {
        output.write('a');
        assertThat(target.size()).isZero();
        output.flush();
        assertThat(target.size()).isOne();
    }

    @Test
    void flush_afterAFailureThatWasSwallowed_failsAgain() throws IOException {
        Output failing = new Output(ToolRun.failingStream("No space left on device"), false, () -> {});
        failing.write('a');
        assertThatThrownBy(failing::flush).isInstanceOf(Output.Failure.class).hasMessage("No space left on device");
        assertThatThrownBy(failing::flush).isInstanceOf(Output.Failure.class);
    }

    @Test
    void stop_inTheMiddle_returnsTrueAndEndsTheWriting() throws IOException {
        assertThat(output.stop()).isFalse();
        Output other = new Output(target, false, () -> {});
        other.write(new byte[100_000]);
        assertThat(other.stop()).isTrue();
        assertThatThrownBy(() -> other.write(new byte[100_000])).isInstanceOf(Output.Failure.class);
        assertThat(target.size()).isEqualTo(100_000);
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            TERM,           xterm, true,  false
            TERM,           dumb,  false, false
            NO_COLOR,       1,     false, false
            NO_COLOR,       '',    true,  false
            CLICOLOR,       0,     false, false
            CLICOLOR,       1,     true,  false
            CLICOLOR_FORCE, 1,     true,  true
            CLICOLOR_FORCE, 0,     true,  false
            CLICOLOR_FORCE, '',    true,  false
            """)
    void isStyled_variable_switchesColours(String name, String value, boolean onTerminal, boolean inFile) {
        assertThat(Terminal.isStyled(Map.of(name, value), true)).isEqualTo(onTerminal);
        assertThat(Terminal.isStyled(Map.of(name, value), false)).isEqualTo(inFile);
    }

    @Test
    void start_longTask_isShownAndLeavesNothing() throws InterruptedException {
        try (Task task = new Progress(err, true, false).start("reading \u001b[31m", "allocations")) {
            task.at(1_234_567);
            while (terminal.size() == 0) {
                Thread.sleep(10);
            }
        }
        assertThat(terminal.toString(UTF_8)).startsWith(ERASE + "arena: reading ?[31m, 1,234,567 allocations, ")
                .endsWith(" s" + ERASE);
    }

    @Test
    void show_one_isSingular() {
        try (Task task = new Progress(err, true, false).start("reading", "allocations")) {
            task.at(1);
            assertThat(task).hasToString("reading, 1 allocation");
        }
    }

    @Test
    void start_shortTask_isNotShown() {
        new Progress(err, true, false).start("reading", "allocations").close();
        assertThat(terminal.size()).isZero();
    }

    @Test
    void beforeOutput_onTheSameTerminal_endsIt() {
        Progress progress = new Progress(err, true, true);
        Task task = progress.start("reading", "allocations");
        assertThat(progress.show(task, 1)).isTrue();
        terminal.reset();
        progress.beforeOutput();
        assertThat(progress.show(task, 2)).isFalse();
        assertThat(terminal.toString(UTF_8)).isEqualTo(ERASE);
        task.close();
    }

    @Test
    void beforeOutput_toAFile_doesNotDisturb() {
        Progress progress = new Progress(err, true, false);
        Task task = progress.start("reading", "allocations");
        assertThat(progress.show(task, 1)).isTrue();
        terminal.reset();
        progress.beforeOutput();
        assertThat(progress.show(task, 2)).isTrue();
        task.close();
        assertThat(progress.show(task, 3)).isFalse();
        assertThat(terminal.toString(UTF_8)).endsWith("arena: reading, 2 s" + ERASE);
    }
}
