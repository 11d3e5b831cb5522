package dev.arenakit.mapped.io;

import dev.arenakit.internal.file.AddressRange;
import dev.arenakit.mapped.InDirectory;
import dev.arenakit.mapped.ProcessMaps;
import dev.arenakit.mapped.TestFileSystem;
import dev.arenakit.mapped.internal.files.MappingLimit;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.arenakit.mapped.io.WindowKind.WINDOW;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Tests which windows stay mapped.
@ParameterizedClass
@EnumSource(value = WindowKind.class, names = "CACHED_.*", mode = EnumSource.Mode.MATCH_ALL)
class MappedWindowsCacheTest extends InDirectory {
    private static final long TEBIBYTE = 1L << 40;

    private final WindowKind kind;
    private final Path file = directory.resolve("file");

    MappedWindowsCacheTest(WindowKind kind) throws IOException {
        super(TestFileSystem.BUILD);
        this.kind = kind;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                MappedWindows windows = kind.builder(file).writable().open()) {
            windows.grow(TEBIBYTE);
            assertThat(channel.size()).isEqualTo(TEBIBYTE);
        }
    }

    private void use(MappedWindows windows, int... numbers) {
        for (int number : numbers) {
            windows.lease(number * WINDOW + 100, 8).close();
        }
    }

    /// The windows that are mapped at least in part.
    private List<Long> mapped() throws IOException {
        List<ProcessMaps.Range> ranges = ProcessMaps.of(file);
        return LongStream.range(0, 100)
                .filter(number -> ranges.stream().anyMatch(range -> range.contains(number * WINDOW)))
                .boxed()
                .toList();
    }

    @Test
    void lease_thatIsOpen_isNeverDropped() throws IOException {
        try (MappedWindows windows = kind.builder(file).writable().open();
                MappedWindow open = windows.lease(10 * WINDOW, 8);
                MappedWindow same = windows.lease(10 * WINDOW, 8)) {
            open.segment().set(JAVA_LONG, 0, 42);
            for (int number = 20; number < 99; number++) {
                use(windows, number);
                assertThat(ProcessMaps.byteSize(file)).isEqualTo(Math.min(4, number - 18) * WINDOW);
            }
            assertThat(mapped()).containsExactly(10L, 96L, 97L, 98L);
            assertThat(open.segment().get(JAVA_LONG, 0)).isEqualTo(42);
            assertThat(same.segment().get(JAVA_LONG, 0)).isEqualTo(42);
        }
    }

    @Test
    void lease_acrossABorder_mapsBothWindowsOnce() throws IOException {
        assumeTrue(AddressRange.isKnownFor(file), "needs windows that stay mapped");
        try (MappedWindows windows = kind.builder(file).open()) {
            long address = -1;
            for (int i = 0; i < 3; i++) {
                try (MappedWindow window = windows.lease(11 * WINDOW - 4, 8)) {
                    assertThat(address).isIn(-1L, window.segment().address());
                    address = window.segment().address();
                    assertThat(windows.mappedByteSize()).isEqualTo(2 * WINDOW);
                }
            }
            use(windows, 10, 11);
            assertThat(windows.mappedByteSize()).isEqualTo(4 * WINDOW);
            use(windows, 12);
            assertThat(mapped()).containsExactly(10L, 11L, 12L);
            assertThat(windows.mappedByteSize()).isEqualTo(3 * WINDOW);
        }
    }

    @Test
    void lease_whereWholeWindowsDoNotFit_mapsItsPagesUntilItIsClosed() throws IOException {
        assumeTrue(AddressRange.isKnownFor(file), "needs windows that stay mapped");
        long window = 4 * WINDOW;
        try (MappedWindows windows = kind.builder(file).windowByteSize(window).maxByteSize(11 * WINDOW).open();
                MappedWindow _ = windows.lease(0, 8);
                MappedWindow _ = windows.lease(2 * window, 8)) {
            MappedWindow across = windows.lease(5 * window - 4, WINDOW);
            assertThat(windows.mappedByteSize()).isEqualTo(10 * WINDOW);
            assertThat(ProcessMaps.byteSize(file)).isEqualTo(10 * WINDOW);
            across.close();
            assertThat(ProcessMaps.byteSize(file)).isEqualTo(8 * WINDOW);
            assertThat(MappingLimit.used()).isEqualTo(mappingsBefore + 2);
        }
    }

    @Test
    void lease_inRandomOrder_dropsTheSameAsAList() throws IOException {
        SplittableRandom random = new SplittableRandom(3);
        List<Long> expected = new ArrayList<>();
        try (MappedWindows windows = kind.builder(file).open()) {
            for (int i = 0; i < 2_000; i++) {
                long number = random.nextInt(8) * 2L;
                expected.remove(number);
                expected.add(number);
                if (expected.size() > 4) {
                    expected.removeFirst();
                }
                use(windows, (int) number);
                if (i % 20 == 0) {
                    assertThat(mapped()).containsExactlyInAnyOrderElementsOf(expected);
                }
            }
        }
    }

    @Test
    @Tag("full")
    void lease_ofAllOfATebibyte_takesConstantAddressSpace() throws IOException {
        long window = 64L << 20;
        long limit = 16 * window;
        long before = ProcessMaps.addressSpace();
        SplittableRandom random = new SplittableRandom(5);
        try (MappedWindows windows = kind.builder(file)
                .windowByteSize(window)
                .maxByteSize(limit)
                .randomAccess()
                .open()) {
            for (long offset = 0; offset < TEBIBYTE; offset += window) {
                // Touching every window would take seconds.
                read(windows, offset, offset % (1L << 30) == 0);
                read(windows, random.nextLong(TEBIBYTE - 8), false);
                if (offset % (32L << 30) == 0) {
                    assertThat(ProcessMaps.byteSize(file)).isEqualTo(windows.mappedByteSize())
                            .isLessThanOrEqualTo(limit);
                    // Threads of the JVM may start meanwhile.
                    assertThat(ProcessMaps.addressSpace()).isLessThan(before + limit + (512L << 20));
                }
            }
            assertThat(windows.mappedByteSize()).isGreaterThan(limit - 2 * window);
        }
    }

    private static void read(MappedWindows windows, long offset, boolean touch) {
        try (MappedWindow window = windows.lease(offset, 8)) {
            if (touch) {
                assertThat(window.segment().get(JAVA_LONG, 0)).isZero();
            }
        }
    }
}
