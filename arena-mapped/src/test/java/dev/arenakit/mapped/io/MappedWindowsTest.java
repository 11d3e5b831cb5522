package dev.arenakit.mapped.io;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.internal.file.AddressRange;
import dev.arenakit.mapped.InDirectory;
import dev.arenakit.mapped.ProcessMaps;
import dev.arenakit.mapped.TestFileSystem;
import dev.arenakit.mapped.internal.files.PageSize;
import dev.arenakit.testing.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.arenakit.mapped.io.WindowKind.WINDOW;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests what all kinds of windows do.
@ParameterizedClass
@EnumSource(WindowKind.class)
class MappedWindowsTest extends InDirectory {
    private final WindowKind kind;
    private final Path file = directory.resolve("file");

    /// Ten windows and a bit.
    private final byte[] bytes = new byte[(int) (10 * WINDOW + 1_234)];

    MappedWindowsTest(WindowKind kind) throws IOException {
        super(TestFileSystem.BUILD);
        this.kind = kind;
        new SplittableRandom(7).nextBytes(bytes);
        Files.write(file, bytes);
    }

    private MappedWindows open() throws IOException {
        return kind.builder(file).open();
    }

    private MappedWindows openWritable() throws IOException {
        return kind.builder(file).writable().open();
    }

    @Test
    void lease_anyRange_hasTheBytesOfTheFile() throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        try (MappedWindows windows = open()) {
            for (int i = 0; i < 500; i++) {
                int byteSize = random.nextInt(1, random.nextBoolean() ? 100 : (int) (3 * WINDOW));
                int offset = random.nextInt(0, bytes.length - byteSize + 1);
                try (MappedWindow window = windows.lease(offset, byteSize)) {
                    assertHasBytes(window, offset, byteSize);
                    assertThat(window.segment().address() % PageSize.SMALLEST).isEqualTo(offset % PageSize.SMALLEST);
                }
                assertThat(ProcessMaps.byteSize(file)).isEqualTo(windows.mappedByteSize())
                        .isLessThanOrEqualTo(4 * WINDOW);
            }
            assertThat(windows.mappedByteSize() > 0).isEqualTo(kind.isCached());
        }
        assertThat(ProcessMaps.of(file)).isEmpty();
    }

    private void assertHasBytes(MappedWindow window, int offset, int byteSize) {
        assertThat(window.segment().byteSize()).isEqualTo(byteSize);
        assertThat(window.segment().mismatch(MemorySegment.ofArray(bytes).asSlice(offset, byteSize))).isEqualTo(-1);
    }

    @Test
    void lease_ofWritableWindows_storesReachTheFile() throws IOException {
        try (MappedWindows windows = openWritable()) {
            for (long offset : new long[]{0, WINDOW - 3, 5 * WINDOW + 9}) {
                try (MappedWindow window = windows.lease(offset, 100)) {
                    window.segment().fill((byte) 42);
                    window.force();
                }
            }
            windows.force();
        }
        for (int offset : new int[]{0, (int) WINDOW - 3, (int) (5 * WINDOW + 9)}) {
            MemorySegment.ofArray(bytes).asSlice(offset, 100).fill((byte) 42);
        }
        assertThat(Files.readAllBytes(file)).isEqualTo(bytes);
    }

    @Test
    void lease_ofReadOnlyWindows_isReadOnly() throws IOException {
        try (MappedWindows windows = open(); MappedWindow window = windows.lease(0, 8)) {
            assertThat(window.segment().isReadOnly()).isTrue();
            assertThatThrownBy(() -> window.segment().set(JAVA_BYTE, 0, (byte) 1))
                    .isInstanceOf(IllegalArgumentException.class);
            window.force();
            windows.force();
        }
        assertThat(Files.readAllBytes(file)).isEqualTo(bytes);
    }

    @Test
    void close_ofALease_endsItsScopeAlone() throws IOException {
        try (MappedWindows windows = open();
                MappedWindow other = windows.lease(100, 8)) {
            MappedWindow closed = windows.lease(100, 8);
            MemorySegment segment = closed.segment();
            MemorySegment slice = segment.asSlice(2, 4);
            closed.close();

            assertThatIllegalStateException().isThrownBy(() -> segment.get(JAVA_BYTE, 0));
            assertThatIllegalStateException().isThrownBy(() -> slice.get(JAVA_BYTE, 0));
            assertThatIllegalStateException().isThrownBy(closed::close);
            assertThatIllegalStateException().isThrownBy(closed::force);
            assertHasBytes(other, 100, 8);
            try (MappedWindow again = windows.lease(100, 8)) {
                assertHasBytes(again, 100, 8);
                assertThatIllegalStateException().isThrownBy(() -> segment.get(JAVA_BYTE, 0));
            }
        }
    }

    @Test
    void lease_sizeZero_mapsNothing() throws IOException {
        try (MappedWindows windows = open()) {
            for (long offset : new long[]{0, WINDOW, bytes.length}) {
                MappedWindow window = windows.lease(offset, 0);
                MemorySegment segment = window.segment();
                assertThat(segment.byteSize()).isZero();
                assertThat(segment.address()).isNotZero();
                assertThat(windows.mappedByteSize()).isZero();
                assertThatIllegalStateException().isThrownBy(windows::close)
                        .withMessageContaining("openLeases=1");
                window.force();
                window.close();
                assertThat(segment.scope().isAlive()).isFalse();
            }
            assertBeyondEnd(() -> windows.lease(bytes.length + 1, 0), bytes.length + 1, 0);
        }
    }

    @Test
    void lease_negativeArguments_areRefused() throws IOException {
        try (MappedWindows windows = open()) {
            assertThatIllegalArgumentException().isThrownBy(() -> windows.lease(-1, 5))
                    .withMessage("Negative range: offset=-1, byteSize=5");
            assertThatIllegalArgumentException().isThrownBy(() -> windows.lease(5, Long.MIN_VALUE))
                    .withMessage("Negative range: offset=5, byteSize=" + Long.MIN_VALUE);
        }
    }

    @Test
    void lease_beyondTheEnd_isRefusedUntilTheFileHasGrown() throws IOException {
        try (MappedWindows windows = open()) {
            assertBeyondEnd(() -> windows.lease(bytes.length - 1, 2), bytes.length - 1, 2);
            assertBeyondEnd(() -> windows.lease(1, Long.MAX_VALUE), 1, Long.MAX_VALUE);
            assertBeyondEnd(() -> windows.lease(Long.MAX_VALUE, Long.MAX_VALUE), Long.MAX_VALUE, Long.MAX_VALUE);
            try (MappedWindow last = windows.lease(bytes.length - 1, 1)) {
                Files.write(file, new byte[]{5}, StandardOpenOption.APPEND);

                try (MappedWindow window = windows.lease(bytes.length - 1, 2)) {
                    assertHasBytes(last, bytes.length - 1, 1);
                    assertThat(window.segment().get(JAVA_BYTE, 1)).isEqualTo((byte) 5);
                }
            }
            assertThat(windows.byteSize()).isEqualTo(bytes.length + 1);
        }
    }

    private void assertBeyondEnd(ThrowingCallable lease, long offset, long byteSize) {
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(lease)
                .withMessage("Lease ends beyond the end of the file: path=" + file + ", offset=" + offset
                        + ", byteSize=" + byteSize + ", fileByteSize=" + bytes.length + "; call grow first");
    }

    @Test
    void grow_ofWritableWindows_addsAHole() throws IOException {
        long tebibyte = 1L << 40;
        try (MappedWindows windows = openWritable(); MappedWindow before = windows.lease(bytes.length - 8, 8)) {
            windows.grow(5);
            assertThat(windows.byteSize()).isEqualTo(bytes.length);
            windows.grow(tebibyte);
            assertThat(Files.size(file)).isEqualTo(tebibyte);
            assertHasBytes(before, bytes.length - 8, 8);
            try (MappedWindow window = windows.lease(tebibyte - 9, 9)) {
                assertThat(window.segment().mismatch(MemorySegment.ofArray(new byte[9]))).isEqualTo(-1);
                window.segment().set(JAVA_BYTE, 8, (byte) 3);
            }
            assertThatIllegalArgumentException().isThrownBy(() -> windows.grow(-1))
                    .withMessage("Negative size: byteSize=-1");
        }
        try (FileChannel channel = FileChannel.open(file)) {
            ByteBuffer last = ByteBuffer.allocate(1);
            assertThat(channel.read(last, tebibyte - 1)).isEqualTo(1);
            assertThat(last.get(0)).isEqualTo((byte) 3);
        }
    }

    @Test
    void grow_refused_throws() throws IOException {
        try (MappedWindows windows = open()) {
            assertThatThrownBy(() -> windows.grow(1L << 30)).isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("builder(path).writable()");
        }
        TestFileSystem.assumeExt4(directory);
        try (MappedWindows windows = openWritable()) {
            assertThatThrownBy(() -> windows.grow(16L << 40)).isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("path=" + file + ", byteSize=" + (16L << 40) + ", fileByteSize="
                            + bytes.length);
        }
        assertThat(Files.size(file)).isEqualTo(bytes.length);
    }

    @Test
    void close_withOpenLeases_isRefusedAndChangesNothing() throws IOException {
        MappedWindows windows = open();
        MappedWindow first = windows.lease(0, 100);
        MappedWindow second = windows.lease(WINDOW, 100);
        assertThatIllegalStateException().isThrownBy(windows::close)
                .withMessage("Windows are leased: openLeases=2, path=" + file + "; close the leases first");
        assertHasBytes(first, 0, 100);
        windows.lease(0, 1).close();
        second.close();
        first.close();
        windows.close();

        for (ThrowingCallable call : new ThrowingCallable[]{windows::close, windows::force, windows::byteSize,
                () -> windows.lease(0, 1), () -> windows.lease(0, 0), () -> windows.lease(1L << 50, 1)}) {
            assertThatIllegalStateException().isThrownBy(call).withMessage("Already closed");
        }
    }

    @Test
    void lease_largerThanTheLimit_isRefused() throws IOException {
        try (MappedWindows windows = open()) {
            windows.lease(0, 4 * WINDOW).close();
            assertFull(() -> windows.lease(WINDOW - 1, 4 * WINDOW), 0, 5 * WINDOW);
            assertFull(() -> windows.lease(0, bytes.length), 0, 11 * WINDOW);
            windows.lease(WINDOW / 2, 3 * WINDOW).close();
        }
    }

    @Test
    void lease_beyondAnyAddressSpace_isOutOfMemory() throws IOException {
        TestFileSystem.assumeHoles(directory);
        Path memory = TestFileSystem.SHARED_MEMORY.newDirectory();
        Path huge = Files.createFile(memory.resolve("file"));
        try (MappedWindows windows = kind.builder(huge).writable().open()) {
            windows.grow(1L << 62);
            assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> windows.lease(5, 1L << 61))
                    .withMessageContaining("byteSize=" + (1L << 61));
            assertFull(() -> windows.lease(5, 1L << 46), 0, (1L << 46) + WINDOW);
            try (MappedWindow window = windows.lease((1L << 62) - 8, 8)) {
                assertThat(window.segment().get(JAVA_LONG, 0)).isZero();
            }
        } finally {
            TestFileSystem.remove(memory);
        }
    }

    @Test
    void lease_besideOpenLeases_isRefusedAtTheLimitUntilOneIsClosed() throws IOException {
        try (MappedWindows windows = open();
                MappedWindow first = windows.lease(0, WINDOW);
                MappedWindow _ = windows.lease(3 * WINDOW, 2 * WINDOW)) {
            windows.lease(8 * WINDOW, 10).close();
            try (MappedWindow _ = windows.lease(9 * WINDOW, 10)) {
                assertFull(() -> windows.lease(8 * WINDOW, 10), 4 * WINDOW, WINDOW);
            }
            windows.lease(8 * WINDOW, 10).close();
            assertHasBytes(first, 0, (int) WINDOW);
        }
    }

    private static void assertFull(ThrowingCallable lease, long used, long requested) {
        assertThatThrownBy(lease).isInstanceOfSatisfying(CapacityExceededException.class, e -> {
            assertThat(e.limit()).isEqualTo(4 * WINDOW);
            assertThat(e.used()).isEqualTo(used);
            assertThat(e.requested()).isEqualTo(requested);
            assertThat(e).hasMessageEndingWith("; close windows sooner, lease less at once, or raise maxByteSize");
        });
    }

    @Test
    void lease_byAnotherThread_isRefusedIfConfined() throws IOException {
        try (MappedWindows windows = open(); MappedWindow window = windows.lease(0, 8)) {
            assertThatWrongThread(window::close);
            assertThatWrongThread(window::force);
            assertThatWrongThread(() -> window.segment().get(JAVA_BYTE, 0));
            if (kind.isShared()) {
                assertThat(Threads.thrownBy(() -> windows.lease(0, 8).close())).isNull();
                assertThat(Threads.thrownBy(windows::force)).isNull();
                assertThat(Threads.thrownBy(windows::close)).isInstanceOf(IllegalStateException.class);
            } else {
                assertThatWrongThread(() -> windows.lease(0, 8));
                assertThatWrongThread(windows::byteSize);
                assertThatWrongThread(windows::force);
                assertThatWrongThread(windows::close);
            }
            assertHasBytes(window, 0, 8);
        }
    }

    private static void assertThatWrongThread(Runnable call) {
        assertThat(Threads.thrownBy(call)).isInstanceOf(WrongThreadException.class);
    }

    @Test
    void leaseShared_isForAllThreads() throws IOException {
        try (MappedWindows windows = openWritable()) {
            if (!kind.isShared()) {
                assertThatThrownBy(() -> windows.leaseShared(0, 8)).isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining("without confined()");
                return;
            }
            MappedWindow window = windows.leaseShared(WINDOW - 4, 8);
            assertThat(Threads.thrownBy(() -> {
                assertHasBytes(window, (int) WINDOW - 4, 8);
                window.segment().fill((byte) 9);
                window.force();
                window.close();
            })).isNull();
            assertThatIllegalStateException().isThrownBy(() -> window.segment().get(JAVA_BYTE, 0));
            assertThatIllegalStateException().isThrownBy(window::close);
        }
        assertThat(Files.readAllBytes(file)[(int) WINDOW]).isEqualTo((byte) 9);
    }

    @Test
    void lease_ofAnInterruptedThread_succeedsAndKeepsTheStatus() throws IOException {
        try (MappedWindows windows = openWritable()) {
            Thread.currentThread().interrupt();
            for (int i = 0; i < 10; i++) {
                try (MappedWindow window = windows.lease(i * WINDOW, 8)) {
                    assertHasBytes(window, (int) (i * WINDOW), 8);
                }
            }
            windows.grow(bytes.length + 1);
            windows.force();
            assertThat(windows.byteSize()).isEqualTo(bytes.length + 1);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void lease_afterTheFileWasReplaced_readsTheOldFileOrIsRefused() throws IOException {
        TestFileSystem.assumeDeletionOfMappedFiles(directory);
        try (MappedWindows windows = open(); MappedWindow window = windows.lease(0, 8)) {
            Path other = Files.write(directory.resolve("other"), new byte[bytes.length]);
            Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);

            assertHasBytes(window, 0, 8);
            if (kind.isCached() && AddressRange.isKnownFor(file)) {
                try (MappedWindow next = windows.lease(7 * WINDOW, 8)) {
                    assertHasBytes(next, (int) (7 * WINDOW), 8);
                }
            } else {
                assertThatThrownBy(() -> windows.lease(0, 8)).isInstanceOf(UncheckedIOException.class)
                        .hasMessageContaining("path=" + file + ", offset=0, byteSize=8")
                        .hasMessageContaining("another file has its name now");
                assertThat(windows.mappedByteSize()).isEqualTo(WINDOW);
            }
        }
    }

    @Test
    void open_ofNoRegularFile_isRefused() throws IOException {
        long descriptors = ProcessMaps.descriptors();
        assertThatThrownBy(() -> kind.builder(directory.resolve("missing")).open())
                .isInstanceOf(java.nio.file.NoSuchFileException.class);
        assertThatThrownBy(() -> kind.builder(directory).open()).isInstanceOf(IOException.class)
                .hasMessage("Not a regular file: path=" + directory);
        assertThat(ProcessMaps.descriptors()).isEqualTo(descriptors);
    }

    @Test
    void builder_sizesOutOfRange_areRefused() throws IOException {
        MappedWindows.Builder builder = kind.builder(file);
        for (long size : new long[]{-1, 0, 4096, 65537, 3 * WINDOW}) {
            assertThatIllegalArgumentException().isThrownBy(() -> builder.windowByteSize(size))
                    .withMessageContaining("windowByteSize=" + size);
        }
        for (long size : new long[]{-1, 0, WINDOW - 1, 1025 * WINDOW, Long.MAX_VALUE}) {
            assertThatIllegalArgumentException().isThrownBy(() -> builder.maxByteSize(size).open())
                    .withMessageContaining("maxByteSize=" + size + ", windowByteSize=" + WINDOW);
        }
        builder.maxByteSize(1024 * WINDOW).open().close();
        builder.maxByteSize(WINDOW).open().close();
    }

    @Test
    void example_ofTheClassDoc_addsUp() throws IOException {
        try (MappedWindows windows = openWritable()) {
            windows.grow((3L << 30) + 8);
            for (int i = 0; i < 4; i++) {
                try (MappedWindow window = windows.lease((long) i << 30, 8)) {
                    window.segment().set(JAVA_LONG, 0, 10 + i);
                }
            }
        }
        assertThat(MappedWindowsExample.sum(file)).isEqualTo(46);
    }
}
