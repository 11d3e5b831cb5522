package dev.arenakit.mapped;

import dev.arenakit.mapped.internal.files.MappingLimit;
import dev.arenakit.mapped.io.SparseFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests that interrupts, however many, end no call, and leave no mappings behind. Without the cure, some five mappings
/// of fifty remain.
class InterruptedImageTest extends InDirectory {
    private static final int ALLOCATIONS = 50;

    private final Thread allocator = Thread.currentThread();
    private final AtomicBoolean done = new AtomicBoolean();
    private final Thread interrupter = new Thread(this::interruptAgainAndAgain);

    private void interruptAgainAndAgain() {
        while (!done.get()) {
            allocator.interrupt();
            for (int i = 0; i < 200; i++) {
                Thread.onSpinWait();
            }
        }
    }

    /// The JDK may leave a mapping when a call is interrupted, and its file is deleted after the test.
    @BeforeEach
    void start() throws IOException {
        TestFileSystem.assumeDeletionOfMappedFiles(directory);
        interrupter.start();
    }

    @AfterEach
    void stop() {
        done.set(true);
        while (interrupter.isAlive()) {
            Thread.onSpinWait();
        }
        boolean _ = Thread.interrupted();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void allocateOrGrowable_whileInterrupted_leavesNoOtherMapping(boolean isGrowable) throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).deleteOnClose().build()) {
            for (int i = 0; i < ALLOCATIONS; i++) {
                MemorySegment _ = isGrowable ? arena.growable(1 << 20).grow(4096) : arena.allocate(4096);
            }
            stop();
            assertThat(ProcessMaps.of(directory)).as("data files and catalog").hasSize(ALLOCATIONS + 1);
            assertThat(MappingLimit.used()).isEqualTo(mappingsBefore + ALLOCATIONS + 1);
        }
        assertThat(ProcessMaps.of(directory)).isEmpty();
    }

    @Test
    void build_whileInterrupted_leavesNoMapping() throws IOException {
        for (int i = 0; i < ALLOCATIONS; i++) {
            using(InfiniteArena.builder(base).chunked().confined().deleteOnClose().build(), arena -> arena.allocate(8));
        }
        stop();
        assertThat(ProcessMaps.of(directory)).isEmpty();
        assertThat(MappingLimit.used()).isEqualTo(mappingsBefore);
    }

    @Test
    void image_whileInterrupted_readsAndStaysOpen() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked().build()) {
            for (int i = 0; i < ALLOCATIONS; i++) {
                arena.names().allocate("block " + i, 64, 8).fill((byte) i);
            }
            try (ArenaImage image = ArenaImage.open(base); ArenaImage attached = ArenaImage.attach(base)) {
                readAll(image);
                readAll(attached);
                stop();
                readAll(image);
                readAll(attached);
            }
        }
    }

    private static void readAll(ArenaImage image) throws IOException {
        for (int i = 0; i < ALLOCATIONS; i++) {
            Allocation block = image.find("block " + i).orElseThrow();
            MemorySegment read = MemorySegment.ofArray(bytes(image.source(block), 0, 64));
            try (Arena arena = Arena.ofConfined()) {
                assertThat(image.segment(block, arena).mismatch(read)).isEqualTo(-1);
            }
            assertThat(read.get(JAVA_BYTE, 63)).isEqualTo((byte) i);
        }
        assertThat(image.allocations()).hasSize(ALLOCATIONS);
        assertThat(image.integrity().problems()).isEmpty();
        assertThat(image.owners()).hasSize(1);
        assertThat(image.ownerState()).isEqualTo(OwnerState.ALIVE);
    }

    @Test
    void image_structuresWhileInterrupted_areRead() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).build()) {
            ImageLongMap map = arena.structures().longMap("map");
            for (int i = 0; i < ALLOCATIONS; i++) {
                map.put(i, 2L * i);
            }
            try (ArenaImage image = ArenaImage.open(base)) {
                for (int i = 0; i < ALLOCATIONS; i++) {
                    try (Arena mapped = Arena.ofShared()) {
                        assertThat(image.structures(mapped).longMap("map").get(i, -1)).isEqualTo(2L * i);
                    }
                    assertThat(image.entries(image.find("map").orElseThrow()).orElseThrow().count())
                            .isEqualTo(ALLOCATIONS);
                }
            }
        }
    }

    @Test
    void copyTo_interrupted_leavesNoFileAndTheImageOpen() throws IOException {
        using(InfiniteArena.builder(base).build(), arena -> arena.names().allocate("block", 1 << 20, 8).fill((byte) 1));
        try (ArenaImage image = ArenaImage.open(base)) {
            while (!Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
            }
            assertThatThrownBy(() -> image.copyTo(directory.resolve("copy")))
                    .isInstanceOf(ClosedByInterruptException.class);
            stop();
            assertThat(directory).isDirectoryNotContaining("glob:**copy*");
            image.copyTo(directory.resolve("copy"));
        }
    }

    @Test
    void sparseFile_whileInterrupted_readsAndStaysOpen() throws IOException {
        Path path = Files.write(directory.resolve("file"), new byte[]{1, 2, 3});
        try (SparseFile file = SparseFile.open(path)) {
            for (int i = 0; i < 50 * ALLOCATIONS; i++) {
                assertThat(file.byteSize()).isEqualTo(3);
                assertThat(file.nextData(0)).hasValue(0);
            }
            stop();
            assertThat(file.byteSize()).isEqualTo(3);
        }
    }
}
