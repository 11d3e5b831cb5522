package dev.arenakit.examples.server;

import dev.arenakit.SlabPool;
import dev.arenakit.examples.CapturedOutput;
import dev.arenakit.examples.Page;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/// Compares the blocks of `docs/servers.md` with code that is compiled, and runs the programs that the page names.
@Tag("full")
class ServersPageTest {
    static final Path FILE = Path.of("..", "docs", "servers.md");
    private static final Path SOURCES = Path.of("src/main/java/dev/arenakit/examples/server");

    @Test
    void javaBlocks_areLinesOfTheExamples() throws IOException {
        String examples = lines("ServerExample.java") + lines("SumServer.java") + lines("StagesExample.java");
        assertThat(Page.read(FILE).blocks("java")).hasSize(5)
                .allSatisfy(block -> assertThat(examples).contains(Page.withoutIndentation(block)));
    }

    @Test
    void stages_onTwoExecutors_passMemoryOn() {
        try (SlabPool pool = SlabPool.create()) {
            assertThat(
                    StagesExample.upperCase(pool, Runnable::run, task -> Thread.ofVirtual().start(task), "text").join())
                    .isEqualTo("TEXT");
        } // Closing the pool would throw if an arena or a parcel were open.
    }

    @Test
    void stages_secondIsRejected_closeTheParcel() {
        try (SlabPool pool = SlabPool.create()) {
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(() -> StagesExample.upperCase(pool, Runnable::run, task -> {
                        throw new RejectedExecutionException();
                    }, "text").join())
                    .withCauseInstanceOf(RejectedExecutionException.class);
        }
    }

    @Test
    void serverTimes_ofEachMemory_arePrinted() throws Exception {
        CapturedOutput printed = new CapturedOutput();
        ServerTimes.run(printed.stream(), 1);
        assertThat(printed.toString().replaceAll(" [\\d,]+ \\|", "")).isEqualTo("""
                | microseconds | 50 % | 99 % | 99.9 % |
                |---|---:|---:|---:|
                | SlabArena |
                | Arena.ofConfined |
                | Arena.ofShared |
                | byte[] |
                """);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void threadTimes_ofEachArena_arePrinted() throws Exception {
        CapturedOutput printed = new CapturedOutput();
        for (String kind : List.of("pool", "small slabs", "waiting", "confined", "shared")) {
            ThreadTimes.run(printed.stream(), kind, 10, 100);
        }
        assertThat(printed.toString().replaceAll("-?[\\d,]+ (ns|bytes)", "$1")).isEqualTo("""
                pool, 10 threads: ns, bytes if all are open
                small slabs, 10 threads: ns, bytes if all are open
                waiting, 10 threads: ns
                confined, 10 threads: ns, bytes if all are open
                shared, 10 threads: ns, bytes if all are open
                """);
    }

    private static String lines(String file) throws IOException {
        return Page.withoutIndentation(Page.read(SOURCES.resolve(file)).text());
    }
}
