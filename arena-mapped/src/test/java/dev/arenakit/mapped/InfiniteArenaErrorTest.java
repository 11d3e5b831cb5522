package dev.arenakit.mapped;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.mapped.internal.files.MappingLimit;
import dev.arenakit.testing.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

/// Tests that each refusal states its reason and leaves no file, and that freed memory is given back.
@ParameterizedClass
@EnumSource(TestFileSystem.class)
class InfiniteArenaErrorTest extends InDirectory {
    private static final long TIB = 1L << 40;
    private static final long MIB = 1L << 20;

    InfiniteArenaErrorTest(TestFileSystem place) {
        super(place);
    }

    @Test
    void allocate_parentMissing_namesTheDirectory() throws IOException {
        Path parent = directory.resolve("missing");
        InfiniteArenaBuilder builder = InfiniteArena.builder(parent.resolve("memory")).chunked().deleteOnClose();
        assertThatThrownBy(builder::build).isInstanceOf(UncheckedIOException.class)
                .hasMessage("Parent directory is missing: path=" + parent.resolve("memory") + ", directory="
                        + parent + "; create the directory first");

        Files.createDirectory(parent);
        try (InfiniteArena arena = builder.catalog(CatalogLevel.OFF).build()) {
            Files.delete(parent);
            assertThatThrownBy(() -> arena.allocate(100, 1)).isInstanceOf(UncheckedIOException.class)
                    .hasMessage("Parent directory is missing: path=" + parent.resolve("memory-0")
                            + ", byteSize=100, directory=" + parent + "; create the directory first");

            Files.createDirectory(parent);
            arena.allocate(100, 1);
            assertThat(Files.size(parent.resolve("memory-0"))).isEqualTo(TIB);
        }
        TestFileSystem.remove(parent);
    }

    @Test
    void allocate_noPermission_namesTheDirectory() throws IOException {
        TestFileSystem.assumePermissions(directory);
        Path closed = directoryWithoutPermission();
        InfiniteArenaBuilder builder = InfiniteArena.builder(closed.resolve("arenakit-test"));
        assertThatThrownBy(builder::build).isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("No permission")
                .hasMessageContaining("path=" + closed.resolve("arenakit-test.lock"))
                .hasMessageContaining("directory=" + closed);
        using(builder.catalog(CatalogLevel.OFF).build(),
                arena -> assertThatThrownBy(() -> arena.allocate(100, 1)).isInstanceOf(UncheckedIOException.class)
                        .hasMessageContaining("No permission")
                        .hasMessageContaining("path=" + closed.resolve("arenakit-test-0"))
                        .hasMessageContaining("byteSize=100")
                        .hasMessageContaining("directory=" + closed));
    }

    /// A directory that refuses new files even to root, if there is such a directory.
    private Path directoryWithoutPermission() throws IOException {
        Path own = Files.createDirectory(directory.resolve("closed"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r-x------")));
        for (Path candidate : List.of(own, Path.of("/sys"))) {
            Path probe = candidate.resolve("arenakit-test-0");
            try {
                Files.delete(Files.createFile(probe));
            } catch (AccessDeniedException _) {
                return candidate;
            } catch (IOException _) {
                // The directory is read-only or does not exist.
            }
        }
        return abort("No directory refuses files to this user");
    }

    @Test
    void allocate_parentIsAFile_givesTheSystemsReason() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        InfiniteArenaBuilder builder = InfiniteArena.builder(file.resolve("memory"));
        assertThatThrownBy(builder::build).isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("path=" + file.resolve("memory.lock"));
        using(builder.catalog(CatalogLevel.OFF).build(),
                arena -> assertThatThrownBy(() -> arena.allocate(100, 1)).isInstanceOf(UncheckedIOException.class)
                        .hasMessageContaining("path=" + file.resolve("memory-0"))
                        .hasMessageContaining("byteSize=100"));
    }

    @Test
    void allocate_fileExistsAndNoCatalog_leavesItAloneAndTakesTheNumberOnceItIsFree() throws IOException {
        Path occupied = Files.writeString(directory.resolve("memory-1"), "somebody's");
        try (InfiniteArena arena = InfiniteArena.builder(base).catalog(CatalogLevel.OFF).build()) {
            arena.allocate(100, 1);
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> arena.allocate(200, 1)).isInstanceOf(UncheckedIOException.class)
                        .hasMessageContaining("File already exists: path=" + occupied)
                        .hasMessageContaining("byteSize=200")
                        .hasMessageContaining("uniqueBase()");
            }
            assertThat(Files.readString(occupied)).isEqualTo("somebody's");
            assertThat(MappingLimit.used()).as("file").isEqualTo(mappingsBefore + 1);

            Files.delete(occupied);
            arena.allocate(300, 1);
            assertThat(Files.size(occupied)).isEqualTo(300);
        }
        assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-0", "memory-1");
    }

    /// A killed process may have left it: its file was not recorded yet, so that the deletion of its image left it
    /// alone.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void allocate_fileExists_skipsItAndNeverDeletesIt(boolean isReopened) throws IOException {
        Path occupied = Files.writeString(directory.resolve("memory-1"), "somebody's");
        try (InfiniteArena arena = InfiniteArena.builder(base).deleteOnClose().build()) {
            arena.allocate(100, 1);
            arena.allocate(200, 1);
            assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-0", "memory-1", "memory-2");
            using(ArenaImage.open(base), image -> assertThat(image.dataFiles()).hasSize(2));
        }
        if (isReopened) {
            InfiniteArena.ofShared(base).close();
            try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
                arena.allocate(100, 1);
                arena.allocate(200, 1);
            }
            InfiniteArena.builder(base).deleteOnClose().reopen().close();
        }
        assertThat(TestFileSystem.names(directory)).containsExactly("memory-1");
        assertThat(Files.readString(occupied)).isEqualTo("somebody's");
    }

    @Test
    void allocate_atTheLimitOfMappings_isRefusedUntilOneIsReleased() {
        int room = MappingLimit.LIMIT - mappingsBefore;
        try (InfiniteArena arena = InfiniteArena.builder(base).confined().deleteOnClose().build()) {
            arena.allocate(1, 1);
            // The catalog and the file are mapped.
            MappingLimit.reserve(room - 2);
            assertThatThrownBy(() -> arena.allocate(1, 1)).isInstanceOfSatisfying(CapacityExceededException.class,
                    e -> {
                        assertThat(e.limit()).isEqualTo(10_000);
                        assertThat(e.used()).isEqualTo(10_000);
                        assertThat(e).hasMessageContaining("chunked()");
                    });
            assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-0");

            MappingLimit.release(1);
            arena.allocate(1, 1);
            MappingLimit.release(room - 3);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void free_anyOrder_clearsThatAllocationAlone(boolean chunked) throws IOException {
        TestFileSystem.assumeHoles(directory);
        InfiniteArenaBuilder builder = InfiniteArena.builder(base);
        try (InfiniteArena arena = (chunked ? builder.chunked() : builder).build()) {
            Random random = new Random(42);
            List<MemorySegment> segments = new ArrayList<>();
            for (int i = 0; i < (chunked ? 600 : 30); i++) {
                long byteSize = i % 100 == 0 ? MIB + random.nextInt(1 << 20) : 1 + random.nextInt(5000);
                segments.add(arena.allocate(byteSize, 1L << random.nextInt(12)));
                segments.getLast().fill((byte) 7);
            }
            Collections.shuffle(segments, random);
            List<MemorySegment> freed = segments.subList(0, segments.size() / 2);
            freed.forEach(arena::free);
            assertThat(freed).allSatisfy(segment -> assertThatThrownBy(() -> arena.free(segment))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("freed before"));
            arena.force();
            assertThat(freed).allMatch(segment -> isFilled(segment, 0));
            assertThat(segments.subList(freed.size(), segments.size())).allMatch(segment -> isFilled(segment, 7));
            assertThat(freed).allSatisfy(segment -> assertThatThrownBy(() -> arena.free(segment))
                    .isInstanceOf(IllegalArgumentException.class));
            try (ArenaImage image = ArenaImage.open(base)) {
                assertThat(image.allocations().filter(Allocation::isLive)).hasSize(segments.size() - freed.size());
                assertThat(image.integrity().problems()).isEmpty();
            }
        }
    }

    @Test
    void free_ofAHole_takesNoSpace() throws IOException {
        TestFileSystem.assumeHoles(directory);
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked().confined().build()) {
            MemorySegment small = arena.allocate(MIB - 1, 1);
            small.set(JAVA_BYTE, 100_000, (byte) 7);
            long before = storedByteSize(ImageFiles.data(base, 0));
            arena.free(small);
            arena.force();
            assertThat(storedByteSize(ImageFiles.data(base, 0))).isEqualTo(before);
            assertThat(isFilled(small, 0)).isTrue();
        }
    }

    @Test
    void free_inAReservedArena_keepsTheBlocks() throws IOException {
        TestFileSystem.assumeHoles(directory);
        try (InfiniteArena arena = InfiniteArena.builder(base).reserved().build()) {
            MemorySegment segment = arena.allocate(4 * MIB, 1);
            segment.asSlice(MIB, MIB).fill((byte) 7);
            assertThat(storedByteSize(ImageFiles.data(base, 0))).isGreaterThanOrEqualTo(4 * MIB);
            arena.free(segment);
            arena.force();
            assertThat(storedByteSize(ImageFiles.data(base, 0))).isGreaterThanOrEqualTo(4 * MIB);
            assertThat(isFilled(segment, 0)).isTrue();
        }
    }

    @Test
    void free_fileReplaced_reportsThatItsSpaceIsNotFreed() throws IOException {
        TestFileSystem.assumeHoles(directory);
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            MemorySegment segment = arena.allocate(4_096, 1).fill((byte) 7);
            Files.move(ImageFiles.data(base, 0), directory.resolve("moved"));
            Files.createFile(ImageFiles.data(base, 0));
            arena.free(segment);
            assertThatThrownBy(arena::force).isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("Allocation has ended, but its space cannot be freed")
                    .hasMessageContaining("another file has replaced it");
            assertThat(isFilled(segment, 7)).isTrue();
        }
    }

    @Test
    void free_ofANamedAllocation_freesTheName() throws IOException {
        TestFileSystem.assumeHoles(directory);
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked().build()) {
            MemorySegment first = arena.names().allocate("a", JAVA_BYTE, 100);
            arena.free(first);
            assertThat(arena.names().find("a")).isEmpty();
            MemorySegment second = arena.names().allocate("a", JAVA_BYTE, 100);
            assertThatThrownBy(() -> arena.free(first)).isInstanceOf(IllegalArgumentException.class);
            assertThat(arena.names().get("a")).isEqualTo(second);
            arena.names().free("a");
            assertThatThrownBy(() -> arena.free(second)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void free_ofAnAllocationOfAPreviousOwner_freesIt() throws IOException {
        TestFileSystem.assumeHoles(directory);
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked().build()) {
            arena.names().allocate("a", JAVA_BYTE, 2 * MIB).fill((byte) 7);
            arena.names().allocate("b", JAVA_BYTE, 100).fill((byte) 7);
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            MemorySegment segment = arena.names().get("a");
            arena.free(segment);
            arena.force();
            assertThat(isFilled(segment, 0)).isTrue();
            assertThat(isFilled(arena.names().get("b"), 7)).isTrue();
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            assertThat(arena.names().find("a")).isEmpty();
            assertThat(arena.names().find("b")).isPresent();
        }
    }

    @Test
    void free_ofAnythingElse_isRefusedAndChangesNothing() {
        TestFileSystem.assumeHoles(directory);
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked().build(); Arena other = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(100, 1);
            MemorySegment next = arena.allocate(100, 1);
            MemorySegment large = arena.allocate(MIB, 1);
            large.fill((byte) 7);
            segment.fill((byte) 7);
            for (MemorySegment wrong : List.of(segment.asSlice(0, 99), segment.asSlice(1), segment.asReadOnly(),
                    segment.asSlice(0, 0), arena.allocate(0, 1), large.asSlice(4096), large.asSlice(0, MIB / 2),
                    other.allocate(100), MemorySegment.ofArray(new byte[100]), MemorySegment.NULL)) {
                assertThatThrownBy(() -> arena.free(wrong)).as("%s", wrong)
                        .isInstanceOf(IllegalArgumentException.class);
            }
            assertThat(isFilled(segment, 7)).isTrue();
            assertThat(isFilled(large, 7)).isTrue();
            arena.free(next);
        }
    }

    @Test
    void free_inAnotherState_isRefused() {
        InfiniteArena arena = InfiniteArena.ofConfined(base);
        MemorySegment segment = arena.allocate(100, 1);
        assertThat(Threads.thrownBy(() -> arena.free(segment))).isInstanceOf(WrongThreadException.class);
        arena.close();
        TestFileSystem.assumeHoles(directory);
        assertThatThrownBy(() -> arena.free(segment)).isInstanceOf(IllegalStateException.class);
        try (InfiniteArena off = InfiniteArena.builder(directory.resolve("off")).catalog(CatalogLevel.OFF).build()) {
            MemorySegment unrecorded = off.allocate(100, 1);
            assertThatThrownBy(() -> off.free(unrecorded)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Arena has no catalog");
        }
    }

    @Test
    void free_byManyThreads_succeedsOnceForEach() throws Exception {
        TestFileSystem.assumeHoles(directory);
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked().build()) {
            AtomicInteger succeeded = new AtomicInteger();
            List<MemorySegment> shared = Collections.synchronizedList(new ArrayList<>());
            Threads.race(3, thread -> {
                Random random = new Random(thread);
                for (int i = 0; i < 150; i++) {
                    MemorySegment segment = arena.allocate(1 + random.nextInt(300), 1);
                    segment.fill((byte) 7);
                    shared.add(segment);
                    try {
                        arena.free(shared.get(random.nextInt(shared.size())));
                        succeeded.incrementAndGet();
                    } catch (IllegalArgumentException _) {
                        // Freed by another thread, or before.
                    }
                }
            });
            arena.force();
            long zero = shared.stream().filter(segment -> isFilled(segment, 0)).count();
            long full = shared.stream().filter(segment -> isFilled(segment, 7)).count();
            assertThat(zero).isEqualTo(succeeded.get()).isPositive();
            assertThat(full).isEqualTo(shared.size() - zero);
            assertThat(shared).hasSize(450);
            using(ArenaImage.open(base),
                    image -> assertThat(image.allocations().filter(Allocation::isLive).count()).isEqualTo(full));
        }
    }
}
