package dev.arenakit.tool.trace;

import dev.arenakit.MallocArena;
import dev.arenakit.mapped.trace.AllocationTrace;
import dev.arenakit.mapped.trace.TraceRecorder;
import dev.arenakit.mapped.trace.TracedBlockArena;
import dev.arenakit.tool.InSharedMemory;
import dev.arenakit.tool.ToolRun;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Tests `arena trace` with a trace whose calls are known.
class TraceCommandTest extends InSharedMemory {
    private void record() {
        try (TraceRecorder recorder = AllocationTrace.record(base)) {
            for (int i = 0; i < 3; i++) {
                try (Arena arena = recorder.wrap(Arena.ofConfined())) {
                    arena.allocate(100);
                    arena.allocate(100);
                }
            }
            try (TracedBlockArena blocks = recorder.wrapBlocks(MallocArena.ofConfined())) {
                MemorySegment block = blocks.allocate(1 << 20, 8);
                blocks.free(blocks.reallocate(block, 2 << 20));
            }
        }
    }

    @Test
    void trace_text_hasCountsAndClasses() {
        record();
        assertThat(onBase("trace").succeeds().out()).contains("complete", "Events         17\n",
                "4 opened, 0 of them shared, at most 1 at a time, 0 still open",
                "7 of 1.0 MiB, 1 of them blocks, 1 resize", "at most 2 MiB after", "1 platform, 0 virtual",
                "from 64 B ", "from 2 MiB ", "from 2                   3");
    }

    @Test
    void trace_json_hasTheSameFigures() {
        record();
        assertThat(onBase("trace", "--json").succeeds().out().lines().toList()).satisfies(lines -> {
            assertThat(lines.get(1)).contains("\"kind\":\"trace\"", "\"state\":\"complete\"", "\"events\":17",
                    "\"peakByteSize\":2097152");
            assertThat(lines).anyMatch(line -> line.contains("\"kind\":\"allocations\"") && line.contains(
                    "\"byteSize\":64") && line.contains("\"bytes\":"));
            assertThat(lines).anyMatch(line -> line.contains("\"kind\":\"live\""));
        });
    }

    @Test
    void trace_html_hasPicturesAndNoScript() {
        record();
        assertThat(onBase("trace", "--html").succeeds().out()).startsWith("<!DOCTYPE html>")
                .contains("<h2>Live bytes over time</h2>", "2 MiB", "default-src 'none'", "17 events in ",
                        "and 1 thread.")
                .doesNotContain("<script");
    }

    @Test
    void trace_damaged_namesThePageAndPrintsTheRest() throws IOException {
        try (TraceRecorder recorder = AllocationTrace.record(base); Arena arena = recorder.wrap(Arena.ofConfined())) {
            for (int i = 0; i < 10_000; i++) {
                arena.allocate(100);
            }
        }
        try (RandomAccessFile file = new RandomAccessFile(base.resolveSibling("memory-0").toFile(), "rw")) {
            file.seek((2 << 14) + 500);
            file.write(new byte[]{-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1});
        }
        ToolRun run = onBase("trace").exits(1);
        assertThat(run.err()).contains("A page is damaged").contains("memory-0, offset=");
        assertThat(run.out()).contains("Allocations");
    }

    @Test
    void trace_otherImage_isRefused() {
        assertThat(onBase("trace").exits(1).err()).contains(base.toString());
    }
}
