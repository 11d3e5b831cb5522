package dev.arenakit.tool.console;

import dev.arenakit.tool.console.Progress.Task;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class ProgressTest {
    private static final String ERASE = "\r\u001b[K";

    private final ByteArrayOutputStream terminal = new ByteArrayOutputStream();
    private final PrintStream err = new PrintStream(terminal, true, UTF_8);

    @Test
    void start_longTask_isShownAndLeavesNothing() throws InterruptedException {
        try (Task task = Progress.on(err, false).start("reading \u001b[31m", "allocations")) {
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
        try (Task task = Progress.on(err, false).start("reading", "allocations")) {
            task.at(1);
            assertThat(task).hasToString("reading, 1 allocation");
        }
    }

    @Test
    void start_shortTask_isNotShown() {
        Progress.on(err, false).start("reading", "allocations").close();
        assertThat(terminal.size()).isZero();
    }

    @Test
    void beforeOutput_onTheSameTerminal_endsIt() {
        Progress progress = Progress.on(err, true);
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
        Progress progress = Progress.on(err, false);
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
