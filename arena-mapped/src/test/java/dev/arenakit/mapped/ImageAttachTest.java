package dev.arenakit.mapped;

import dev.arenakit.mapped.io.SparseFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests images that other readers attach to, or copy, while their owner uses them.
@ParameterizedClass
@EnumSource(TestFileSystem.class)
class ImageAttachTest extends InDirectory {
    private static final VarHandle LONG = JAVA_LONG.varHandle().withInvokeExactBehavior();

    private final Path copy = directory.resolve("copy");

    ImageAttachTest(TestFileSystem place) {
        super(place);
    }

    @Test
    void attach_toARunningOwner_sharesItsMemory() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            MemorySegment own = arena.names().allocate("counter", JAVA_LONG, 1);
            arena.names().allocate("empty", JAVA_LONG, 0);
            try (ArenaImage image = ArenaImage.attach(base); Arena confined = Arena.ofConfined()) {
                MemorySegment shared = image.segment(image.find("counter").orElseThrow(), confined);
                assertThat((long) LONG.getAndAdd(shared, 0L, 5L)).isZero();
                assertThat((long) LONG.getAndAdd(own, 0L, 2L)).isEqualTo(5);
                assertThat((long) LONG.getVolatile(shared, 0L)).isEqualTo(7);
                assertThat(image.segment(image.find("empty").orElseThrow(), confined).isReadOnly()).isFalse();
            }
        }
    }

    @Test
    @Tag("full")
    void attach_ownerDeletesItsFiles_leavesTheMemory() throws IOException {
        try (Arena confined = Arena.ofConfined()) {
            MemorySegment shared;
            try (InfiniteArena arena = InfiniteArena.builder(base).deleteOnClose().build();
                    ArenaImage image = ArenaImage.attach(base)) {
                arena.names().allocate("value", JAVA_LONG, 1).set(JAVA_LONG, 0, 42);
                shared = image.segment(image.find("value").orElseThrow(), confined);
            }
            shared.set(JAVA_LONG, 0, shared.get(JAVA_LONG, 0) + 1);
            assertThat(shared.get(JAVA_LONG, 0)).isEqualTo(43);
        }
        assertThat(TestFileSystem.names(directory)).isEmpty();
    }

    @Test
    void attach_withoutOwner_isRefused() throws IOException {
        InfiniteArena.ofShared(base).close();
        assertThatThrownBy(() -> ArenaImage.attach(base)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("base=" + base)
                .hasMessageContaining("reopen()");
        assertThatThrownBy(() -> ArenaImage.attach(copy)).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void open_always_mapsReadOnly() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base); Arena confined = Arena.ofConfined()) {
            arena.names().allocate("value", JAVA_LONG, 1);
            using(ArenaImage.open(base),
                    image -> assertThat(image.segment(image.find("value").orElseThrow(), confined).isReadOnly())
                            .isTrue());
        }
    }

    @Test
    @Tag("full")
    void copyTo_ofASparseImage_isAsSparse() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked().build()) {
            MemorySegment large = arena.names().allocate("large", JAVA_LONG, 1L << 30);
            for (long i = 0; i < 300; i++) {
                large.setAtIndex(JAVA_LONG, i << 20, ~i);
            }
            using(ArenaImage.open(base), image -> image.copyTo(copy));
        }
        try (ArenaImage image = ArenaImage.open(copy);
                Arena arena = Arena.ofConfined();
                SparseFile original = SparseFile.open(directory.resolve("memory-0"));
                SparseFile copied = SparseFile.open(directory.resolve("copy-0"))) {
            assertThat(image.integrity().problems()).isEmpty();
            assertThat(image.ownerIsAlive()).isFalse();
            assertThat(copied.byteSize()).isEqualTo(original.byteSize());
            assertThat(copied.extentCount()).isEqualTo(original.extentCount());
            MemorySegment large = image.segment(image.find("large").orElseThrow(), arena);
            for (long i = 0; i < 300; i++) {
                assertThat(large.getAtIndex(JAVA_LONG, i << 20)).isEqualTo(~i);
            }
        }
        using(InfiniteArena.builder(copy).reopen(), arena -> assertThat(arena.names().find("large")).isPresent());
    }

    @Test
    void copyTo_ofZerosOnTheDisk_skipsThem() throws IOException {
        TestFileSystem.assumeHoles(directory);
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            MemorySegment values = arena.names().allocate("values", JAVA_LONG, 1 << 20).fill((byte) 0);
            values.setAtIndex(JAVA_LONG, 1 << 19, 42);
            values.force();
            using(ArenaImage.open(base), image -> image.copyTo(copy));
        }
        assertThat(copiedValues(directory)).isLessThan(1 << 20);
    }

    /// Checks the copy of 8 MiB with the value 42 in the middle.
    ///
    /// @return the number of bytes that it occupies on the disk
    static long copiedValues(Path directory) throws IOException {
        try (ArenaImage image = ArenaImage.open(directory.resolve("copy"));
                Arena arena = Arena.ofConfined();
                SparseFile file = SparseFile.open(directory.resolve("copy-0"))) {
            MemorySegment values = image.segment(image.find("values").orElseThrow(), arena);
            assertThat(values.byteSize()).isEqualTo(8 << 20);
            assertThat(values.getAtIndex(JAVA_LONG, 1 << 19)).isEqualTo(42);
            assertThat(values.getAtIndex(JAVA_LONG, (1 << 19) - 1)).isZero();
            return file.storedByteSize().orElseThrow();
        }
    }

    @Test
    void copyTo_ofACatalogThatEndsInAHole_isComplete() throws IOException {
        Path catalog = directory.resolve("memory.catalog");
        using(InfiniteArena.builder(base).chunked().build(), arena -> arena.names().allocate("value", JAVA_LONG, 1));
        // Lines that were reserved and not written, in pages that do not exist.
        try (FileChannel channel = FileChannel.open(catalog, StandardOpenOption.WRITE)) {
            channel.truncate(4096);
            channel.write(ByteBuffer.wrap(new byte[1]), (1 << 20) - 1);
            channel.write(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, 1 << 19), 64);
        }
        using(ArenaImage.open(base), image -> image.copyTo(copy));
        try (ArenaImage image = ArenaImage.open(copy)) {
            assertThat(Files.size(directory.resolve("copy.catalog"))).isEqualTo(1 << 19);
            assertThat(image.find("value")).isPresent();
            assertThat(image.integrity().problems()).noneMatch(problem -> problem.description().contains("truncated"));
        }
    }

    @Test
    void copyTo_fileExists_leavesOnlyThatFile() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base); ArenaImage image = ArenaImage.open(base)) {
            arena.allocate(100, 1);
            arena.allocate(100, 1);
            Path occupied = Files.writeString(directory.resolve("copy-1"), "somebody's");
            assertThatThrownBy(() -> image.copyTo(copy)).isInstanceOf(FileAlreadyExistsException.class);
            assertThat(Files.readString(occupied)).isEqualTo("somebody's");
            assertThat(TestFileSystem.names(directory)).containsExactly("copy-1", "memory-0", "memory-1",
                    "memory.catalog",
                    "memory.lock");
        }
    }
}
