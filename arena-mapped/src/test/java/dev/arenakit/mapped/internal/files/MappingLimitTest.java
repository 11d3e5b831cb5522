package dev.arenakit.mapped.internal.files;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.mapped.CatalogLevel;
import dev.arenakit.mapped.InDirectory;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.mapped.ProcessMaps;
import dev.arenakit.mapped.TestFileSystem;
import dev.arenakit.mapped.io.MappedWindow;
import dev.arenakit.mapped.io.MappedWindows;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;

import static dev.arenakit.mapped.io.WindowKind.WINDOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests the limit of the process with as many real mappings of arenas and windows.
class MappingLimitTest extends InDirectory {
    private static final int LIMIT = 10_000;
    private static final int WINDOWS_OF_A_FILE = 1_000;

    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    MappingLimitTest() throws IOException {
        // Thousands of files are created and deleted at once.
        super(TestFileSystem.SHARED_MEMORY);
    }

    @Test
    void lease_andAllocate_upToTheLimit_succeedAndTheNextIsRefused() throws Exception {
        InfiniteArena arena = InfiniteArena.builder(base)
                .catalog(CatalogLevel.OFF)
                .confined()
                .deleteOnClose()
                .build();
        open.push(arena);
        try {
            while (MappingLimit.used() < LIMIT / 2) {
                arena.allocate(100, 8);
            }
            MappedWindows windows = openWindows(0);
            for (int number = 0; MappingLimit.used() < LIMIT - 1; number++) {
                if (number == WINDOWS_OF_A_FILE) {
                    windows = openWindows(open.size());
                    number = 0;
                }
                lease(windows, number);
            }
            assertThat(ProcessMaps.of(directory)).as("real mappings").hasSize(LIMIT - 1 - mappingsBefore);

            MappedWindow last = windows.lease((2 * WINDOWS_OF_A_FILE + 2) * WINDOW, 8);
            assertThat(MappingLimit.used()).isEqualTo(LIMIT);
            assertFull(arena, windows);
            // The window is idle now: another one takes its place, and arenas do not.
            last.close();
            lease(windows, WINDOWS_OF_A_FILE + 2);
            assertFull(arena, windows);
            assertThat(MappingLimit.used()).isEqualTo(LIMIT);

            open.pop().close();
            assertFull(arena, openWindows(open.size()));
            windows.lease(WINDOW, 8).close();
            assertThat(ProcessMaps.of(directory)).hasSize(LIMIT - mappingsBefore);
        } finally {
            while (!open.isEmpty()) {
                open.pop().close();
            }
        }
        assertThat(ProcessMaps.of(directory)).isEmpty();
    }

    private void assertFull(InfiniteArena arena, MappedWindows windows) {
        assertRefused(() -> arena.allocate(100, 8));
        assertRefused(() -> windows.lease((2 * WINDOWS_OF_A_FILE + 6) * WINDOW, 8));
        try (Arena other = InfiniteArena.builder(directory.resolve("other")).catalog(CatalogLevel.OFF).build()) {
            assertRefused(() -> other.allocate(1));
        }
    }

    private static void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(CapacityExceededException.class, e -> {
            assertThat(e.limit()).isEqualTo(LIMIT);
            assertThat(e.used()).isEqualTo(LIMIT);
            assertThat(e.requested()).isEqualTo(1);
            assertThat(e).hasMessageContaining("close arenas and windows");
        });
    }

    private MappedWindows openWindows(int number) throws IOException {
        Path file = Files.createFile(directory.resolve("file-" + number));
        MappedWindows windows = MappedWindows.builder(file)
                .writable()
                .windowByteSize(WINDOW)
                .maxByteSize(1_024 * WINDOW)
                .open();
        open.push(windows);
        windows.grow(4 * WINDOWS_OF_A_FILE * WINDOW);
        return windows;
    }

    /// Leases every second window, since the system joins mappings of neighbours.
    private void lease(MappedWindows windows, int number) {
        open.push(windows.lease(2L * number * WINDOW, 8));
    }
}
