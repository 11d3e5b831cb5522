package dev.arenakit.mapped;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.mapped.internal.files.MappingLimit;
import dev.arenakit.mapped.io.SparseFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

/// A test with an empty directory, which is removed afterwards. The test must not change the count of mappings.
public abstract class InDirectory {
    public final TestFileSystem place;
    public final Path directory;

    /// The base of the arena of a test.
    public final Path base;

    public final int mappingsBefore = MappingLimit.used();

    public InDirectory() {
        this(TestFileSystem.SHARED_MEMORY);
    }

    public InDirectory(TestFileSystem place) {
        this.place = place;
        this.directory = place.newDirectory();
        this.base = directory.resolve("memory");
    }

    @AfterEach
    void removeDirectory() throws IOException {
        TestFileSystem.remove(directory);
        assertThat(MappingLimit.used()).isEqualTo(mappingsBefore);
    }

    /// Uses an arena, and closes it.
    public static <X extends Exception> void using(InfiniteArena arena, Use<InfiniteArena, X> use) throws X {
        try (arena) {
            use.of(arena);
        }
    }

    /// Uses an image, and closes it.
    public static <X extends Exception> void using(ArenaImage image, Use<ArenaImage, X> use) throws X, IOException {
        try (image) {
            use.of(image);
        }
    }

    /// Reads a value of an image.
    public static <T> T read(ArenaImage image, ImageValue<T> value) throws IOException {
        try (image) {
            return value.of(image);
        }
    }

    /// The bytes of a range of a source. They are fewer if the source ends early.
    public static byte[] bytes(ExtentSource source, long skip, int byteSize) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        source.transferTo(new ExtentSource.Sink() {
            @Override
            public void data(MemorySegment data) {
                bytes.writeBytes(data.toArray(JAVA_BYTE));
            }

            @Override
            public void zeros(long byteSize) {
                bytes.writeBytes(new byte[Math.toIntExact(byteSize)]);
            }
        }, skip, byteSize);
        return bytes.toByteArray();
    }

    /// Ends a process of a test with an error unless a condition holds.
    public static void ensure(boolean condition, String otherwise) {
        if (!condition) {
            throw new AssertionError(otherwise);
        }
    }

    /// Whether each byte of memory has a value.
    public static boolean isFilled(MemorySegment memory, int value) {
        byte[] expected = new byte[Math.toIntExact(memory.byteSize())];
        Arrays.fill(expected, (byte) value);
        return memory.mismatch(MemorySegment.ofArray(expected)) == -1;
    }

    /// The size of what a file stores on the disk.
    public static long storedByteSize(Path file) throws IOException {
        try (SparseFile sparse = SparseFile.open(file)) {
            return sparse.storedByteSize().orElseThrow();
        }
    }

    /// A use of an arena or an image.
    public interface Use<T, X extends Exception> {
        void of(T used) throws X;
    }

    /// A value of an image.
    public interface ImageValue<T> {
        T of(ArenaImage image) throws IOException;
    }
}
