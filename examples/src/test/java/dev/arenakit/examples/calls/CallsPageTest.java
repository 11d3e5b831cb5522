package dev.arenakit.examples.calls;

import dev.arenakit.examples.Page;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static org.assertj.core.api.Assertions.assertThat;

/// Compares the blocks of `docs/calls.md` with code that is compiled, and runs the function in C.
class CallsPageTest {
    private static final Path SOURCES = Path.of("src/main/java/dev/arenakit/examples/calls");

    @Test
    void javaBlocks_areLinesOfTheExample() throws IOException {
        String example = lines("CompiledBatch.java");
        assertThat(Page.read(Path.of("..", "docs", "calls.md")).blocks("java")).hasSize(1)
                .allSatisfy(block -> assertThat(example).contains(Page.withoutIndentation(block)));
    }

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

    private static String lines(String file) throws IOException {
        return Page.withoutIndentation(Page.read(SOURCES.resolve(file)).text());
    }
}
