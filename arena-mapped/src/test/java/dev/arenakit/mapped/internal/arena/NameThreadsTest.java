package dev.arenakit.mapped.internal.arena;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.InDirectory;
import dev.arenakit.mapped.TestFileSystem;
import dev.arenakit.mapped.internal.data.DataFileWriter;
import dev.arenakit.mapped.internal.data.MappedFiles;
import dev.arenakit.mapped.internal.data.RecordedFiles;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests threads that request a name while another thread allocates memory for it.
class NameThreadsTest extends InDirectory {
    private static final StructType TYPE = NamedAllocations.structOf(JAVA_LONG);

    private final Arena arena = Arena.ofShared();
    private final ConcurrentHashMap<String, NamedAllocation> known = new ConcurrentHashMap<>();
    private final OwnedImage image;
    private final DataFileWriter files;
    private final NamedAllocations names;

    NameThreadsTest() {
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
}
