package dev.arenakit.tool;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.InfiniteArena;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

/// Tests of the packaged command with little memory, on images of any size.
@Tag("full")
class LargeImageIT extends InSharedMemory {
    private static final String HEAP = "-Xmx64m";

    /// This test takes some seconds, since it starts five JVMs.
    @Test
    void javaJar_thousandsOfAllocationsAndATebibyte_needLittleMemory() throws IOException, InterruptedException {
        printAll(5_000, "-Xmx16m");
    }

    /// This test takes half a minute.
    @Test
    @Tag("slow")
    void javaJar_millionAllocationsAndATebibyte_needLittleMemory() throws IOException, InterruptedException {
        printAll(1_000_000, HEAP);
    }

    private void printAll(int allocations, String heap) throws IOException, InterruptedException {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked().build()) {
            arena.names().allocate("huge", JAVA_LONG, 1L << 36).setAtIndex(JAVA_LONG, 1L << 35, 42);
            for (int i = 1; i < allocations; i++) {
                MemorySegment memory = i % 4 == 0
                        ? arena.names().allocate("name " + i, JAVA_INT, 25)
                        : arena.allocate(100, 4);
                memory.set(JAVA_INT, 0, i);
            }
        }
        String last;
        try (ArenaImage image = ArenaImage.open(base); Stream<Allocation> all = image.allocations()) {
            last = all.skip(allocations - 1).findFirst().orElseThrow().label();
        }
        assertThat(run(heap, "ls").out().lines().skip(5)).hasSize(allocations).last().asString().startsWith(last + " ");
        assertThat(run(heap, "verify").out()).startsWith(base + ": no problem in ").hasLineCount(1);
        assertThat(run(heap, "find", "--where", "value == 42").out()).isEqualTo("huge[34359738368]\n");
        ToolRun show = run(heap, "show");
        assertThat(show.out()).startsWith("""
                ==> huge: int64_t[68719476736] <==
                [0..34359738367] zeros
                [34359738368] 42
                [34359738369..68719476735] zeros
                """);
        assertThat(show.out().lines().filter(line -> line.startsWith("==> "))).hasSize((allocations + 3) / 4);
    }

    private ToolRun run(String heap, String command, String... options)
            throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(JarRun.JAVA.toString(), heap, "-XX:TieredStopAtLevel=1", "-jar",
                JarRun.JAR.toString(), command, base.toString()));
        line.addAll(List.of(options));
        ToolRun run = JarRun.of(line);
        assertThat(run.err()).as(command).isEmpty();
        assertThat(run.exitCode()).as(command).isZero();
        return run;
    }
}
