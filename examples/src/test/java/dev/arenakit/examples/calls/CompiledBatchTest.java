package dev.arenakit.examples.calls;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static org.assertj.core.api.Assertions.assertThat;

/// Runs the function in C of `docs/calls.md`.
class CompiledBatchTest {
    @Test
    void stringLengths_inC_areAddedUp(@TempDir Path directory) throws Exception {
        try (CompiledBatch batch = CompiledBatch.compile(directory); Arena arena = Arena.ofConfined()) {
            MemorySegment strings = arena.allocate(ADDRESS, 2);
            strings.setAtIndex(ADDRESS, 0, arena.allocateFrom("six ch"));
            strings.setAtIndex(ADDRESS, 1, arena.allocateFrom("seven c"));
            assertThat(batch.stringLengths(strings)).isEqualTo(13);
        } catch (UnsupportedOperationException e) {
            throw new TestAbortedException(e.getMessage(), e);
        }
    }
}
