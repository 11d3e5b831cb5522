package dev.arenakit.mapped.internal.arena;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.ImageFiles;
import dev.arenakit.mapped.InDirectory;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.mapped.TestFileSystem;
import dev.arenakit.mapped.internal.data.DataFileWriter;
import dev.arenakit.mapped.internal.data.MappedFiles;
import dev.arenakit.mapped.internal.data.RecordedFiles;
import dev.arenakit.mapped.internal.image.ArenaParts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests threads that request a name while another thread allocates its memory, or resizes it.
class NameWaitTest extends InDirectory {
    private static final StructType TYPE = NamedAllocations.structOf(JAVA_LONG);

    private final Arena arena = Arena.ofShared();
    private final ConcurrentHashMap<String, NamedAllocation> known = new ConcurrentHashMap<>();
    private final OwnedImage image;
    private final DataFileWriter files;
    private final NamedAllocations names;

    NameWaitTest() {
        super(TestFileSystem.BUILD);
        ArenaOptions options = new ArenaOptions();
        image = OwnedImage.create(base, arena, options);
        files = new DataFileWriter(new MappedFiles(base, arena, false), image.catalog(), new RecordedFiles(),
                options.mode, false, null);
        ChunkAllocator memory = new ChunkAllocator(arena, true, files, 0, image.catalog(),
                image.reopenedState().free());
        names = new NamedAllocations(files, memory,
                new GrowableAllocator(memory, files, image.catalog(), options.boot), image.catalog(), known);
    }

    @AfterEach
    void close() {
        arena.close();
        files.release(false);
        image.close(false, List.of());
    }

    @Test
    void growable_whileAnotherThreadAllocatesTheName_waitsWithoutSpinning() throws Exception {
        BlockedThread<MemorySegment> allocating;
        BlockedThread<GrowableMemory> opening;
        synchronized (files) {
            allocating = BlockedThread.start(() -> names.allocate("longs", TYPE, 100));
            opening = BlockedThread.start(() -> names.growable("longs", TYPE, 1 << 20, 1));
        }
        assertThat(allocating.result().byteSize()).isEqualTo(800);
        assertThatThrownBy(opening::result).isInstanceOf(ExecutionException.class)
                .hasMessageContaining("Allocation was not made to grow: name=longs");
    }

    @Test
    void growable_whileAnotherThreadMakesItGrow_returnsTheSameMemory() throws Exception {
        BlockedThread<GrowableMemory> first;
        BlockedThread<GrowableMemory> second;
        synchronized (files) {
            first = BlockedThread.start(() -> names.growable("longs", TYPE, 1 << 20, 1));
            second = BlockedThread.start(() -> names.growable("longs", TYPE, 1 << 20, 1));
        }
        assertThat(first.result()).isSameAs(second.result());
    }

    /// A stack overflow can prevent even the release of the name.
    @Test
    void growable_ofANameWhoseAllocationAnErrorHasInterrupted_takesTheName() throws Exception {
        known.put("longs", new NamedAllocation("interrupted"));
        BlockedThread<GrowableMemory> opening;
        synchronized (files) {
            opening = BlockedThread.start(() -> names.growable("longs", TYPE, 1 << 20, 1));
        }
        assertThat(opening.result().maxByteSize()).isEqualTo(1 << 20);
    }

    /// Both threads wait for the monitor of the files before either of them has mapped the allocation. Which of them
    /// gets it first is not determined, so there are several rounds.
    @Test
    void find_whileAnotherThreadResizes_neverReplacesTheGrownMemory() throws Exception {
        for (int round = 0; round < 20; round++) {
            Path image = directory.resolve("image" + round);
            using(InfiniteArena.ofShared(image),
                    arena -> arena.names().allocate("longs", JAVA_LONG, 512).set(JAVA_LONG, 0, 7));
            ArenaParts reopened = new ArenaParts(image, new ArenaOptions(), OwnedImage::reopen);
            NamedAllocations found = reopened.names;
            BlockedThread<MemorySegment> resizer;
            BlockedThread<MemorySegment> finder;
            synchronized (reopened.files) {
                resizer = BlockedThread.start(() -> found.resize("longs", 100_000));
                finder = BlockedThread.start(() -> found.get("longs"));
            }
            MemorySegment resized = resizer.result();
            assertThat(finder.result().get(JAVA_LONG, 0)).isEqualTo(7);
            resized.setAtIndex(JAVA_LONG, 99_999, 42);

            assertThat(found.get("longs").byteSize()).isEqualTo(800_000);
            MemorySegment again = found.resize("longs", 100_001);
            assertThat(again.getAtIndex(JAVA_LONG, 99_999)).isEqualTo(42);
            assertThat(Files.size(ImageFiles.data(image, 0))).isEqualTo(800_008);
            reopened.close();
        }
    }

    /// A thread that has come to a monitor which another thread holds.
    private record BlockedThread<T>(CompletableFuture<T> future) {
        /// Starts a thread, and waits until it waits for a monitor.
        static <T> BlockedThread<T> start(Supplier<T> action) throws InterruptedException {
            CompletableFuture<T> future = new CompletableFuture<>();
            Thread thread = Thread.ofPlatform().daemon().start(() -> {
                try {
                    future.complete(action.get());
                } catch (Throwable t) {
                    future.completeExceptionally(t);
                }
            });
            while (thread.getState() != Thread.State.BLOCKED) {
                assertThat(future).isNotDone();
                TimeUnit.MILLISECONDS.sleep(1);
            }
            return new BlockedThread<>(future);
        }

        T result() throws Exception {
            return future.get(1, TimeUnit.MINUTES);
        }
    }
}
