package dev.arenakit.mapped;

import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;

/// Tests that the next owner of a chunked image continues its chunk, also where holes are not known.
class ReopenedChunkTest extends InDirectory {
    private static final int CHUNK = 8 << 20;

    /// Not in memory, where the shared memory of a container would be too small for the bytes that are read.
    ReopenedChunkTest() {
        super(TestFileSystem.BUILD);
    }

    @Test
    void reopen_nativeAccessDenied_continuesTheChunk() throws IOException {
        restart(6, 3);
    }

    /// 150 restarts take seconds.
    @Test
    @Tag("full")
    void reopen_150TimesAndNativeAccessDenied_continuesTheChunk() throws IOException {
        restart(150, 15);
    }

    /// Each process closes the image some times, and then dies while it is open.
    private void restart(int times, int timesInAProcess) throws IOException {
        for (int i = 0; i < times; i += timesInAProcess) {
            ChildJvm.run(ChildJvm.denied()
                    .command(Owner.class, base.toString(), Integer.toString(i), Integer.toString(timesInAProcess)));
        }
        assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-0");
        try (ArenaImage image = ArenaImage.open(base)) {
            assertThat(image.allocations().filter(each -> each.name().isPresent())).hasSize(times);
            assertThat(image.integrity().problems()).isEmpty();
        }
    }

    /// An owner with chunks of 1 TiB.
    static final class Owner {
        private Owner() {}

        public static void main(String[] arguments) {
            int first = Integer.parseInt(arguments[1]);
            int end = first + Integer.parseInt(arguments[2]);
            for (int i = first; i < end; i++) {
                InfiniteArena arena = InfiniteArena.builder(Path.of(arguments[0])).chunked().openOrCreate();
                for (int before = 0; before < i; before++) {
                    ensure(arena.names().get(name(before)).get(JAVA_INT, 0) == before, name(before));
                }
                MemorySegment named = arena.names().allocate(name(i), JAVA_INT, 1_000L * (i + 1));
                ensure(isFilled(named, 0), "named");
                named.fill((byte) -1).set(JAVA_INT, 0, i);
                MemorySegment nameless = arena.allocate(100, 1);
                ensure(isFilled(nameless, 0), "nameless");
                nameless.fill((byte) 1);
                if (i == end - 1) {
                    Runtime.getRuntime().halt(0);
                }
                arena.close();
            }
        }

        private static String name(int i) {
            return "restart " + i;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void allocate_recordsWereLost_skipsWhatTheirAllocationsHaveWritten(boolean isConfined) throws IOException {
        leaveLost();
        reopened(base, isConfined);
        assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-0");
    }

    @Test
    void allocate_recordsWereLostAndNativeAccessDenied_skipsWhatTheirAllocationsHaveWritten() throws IOException {
        leaveLost();
        ChildJvm.run(ChildJvm.denied().command(Reopened.class, base.toString()));
        assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-0");
    }

    /// Writes to pages of the rest of a chunk.
    private void leaveLost() throws IOException {
        using(InfiniteArena.builder(base).chunked(CHUNK).build(), arena -> arena.names().allocate("a", JAVA_BYTE, 10));
        try (RandomAccessFile file = new RandomAccessFile(directory.resolve("memory-0").toFile(), "rw")) {
            for (long at : new long[]{5_000, 300_000, 301_000, CHUNK / 2, CHUNK / 2 + 200_000}) {
                file.seek(at);
                file.write(1);
            }
        }
    }

    private static void reopened(Path base, boolean isConfined) {
        InfiniteArenaBuilder builder = InfiniteArena.builder(base);
        try (InfiniteArena arena = (isConfined ? builder.confined() : builder).reopen()) {
            for (int size : new int[]{8, 3_000, 100_000, 1, 2_000_000, 16, 500_000}) {
                MemorySegment memory = arena.allocate(size, size % 8 == 0 ? 8 : 1);
                ensure(isFilled(memory, 0), "size " + size);
                memory.fill((byte) 2);
            }
        }
    }

    /// An owner that is denied native access.
    static final class Reopened {
        private Reopened() {}

        public static void main(String[] arguments) {
            reopened(Path.of(arguments[0]), false);
        }
    }

    @Test
    void allocate_inAFullRest_makesAnotherChunk() throws IOException {
        using(InfiniteArena.builder(base).chunked(CHUNK).build(), arena -> arena.names().allocate("a", JAVA_BYTE, 10));
        using(InfiniteArena.builder(base).reopen(), arena -> {
            arena.allocate(CHUNK - 4_096, 4_096);
            arena.allocate(CHUNK, 1);
        });
        assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-0", "memory-1");
    }

    /// The owner was killed after it had reserved a line.
    @Test
    void reopen_afterAnUnfinishedRecord_continuesTheChunk() throws IOException {
        for (int i = 0; i < 5; i++) {
            String name = "name " + i;
            using(InfiniteArena.builder(base).chunked(CHUNK).openOrCreate(), arena -> {
                arena.names().allocate("unfinished " + name, JAVA_BYTE, 10);
                arena.names().allocate(name, JAVA_BYTE, 10);
            });
            TestCatalog.clearRecordOfAllocation(base, "unfinished " + name);
        }
        assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-0");
    }
}
