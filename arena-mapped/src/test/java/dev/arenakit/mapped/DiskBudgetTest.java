package dev.arenakit.mapped;

import dev.arenakit.diagnostics.BudgetExceededException;
import dev.arenakit.diagnostics.ImageStatistics;
import dev.arenakit.diagnostics.MemoryBudget;
import dev.arenakit.diagnostics.MemoryStatistics;
import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/// Images that are reserved on the disk limit of a budget, and what can be seen of images.
class DiskBudgetTest {
    private static final long MIB = 1 << 20;

    private final MemoryBudget root = MemoryBudget.root("disk", 0, 8 * MIB);
    private final MemoryBudget budget = root.child("image", 0);

    @TempDir
    Path directory;

    @Test
    void chunk_isReservedUntilTheArenaIsClosed() {
        TestFileSystem.assumeHoles(directory);
        try (InfiniteArena arena = InfiniteArena.builder(base()).chunked(64 * MIB).reserved().budget(budget).build()) {
            arena.allocate(MIB);
            assertThat(root.stats().diskByteSize()).isEqualTo(2 * MIB);
            // A unit of 4 MiB and then, since the next one would exceed the budget, of 2 MiB.
            arena.allocate(6 * MIB);
            assertThat(root.stats().diskByteSize()).isEqualTo(8 * MIB);
            assertThatExceptionOfType(BudgetExceededException.class).isThrownBy(() -> arena.allocate(2 * MIB))
                    .withMessageContaining("budget=disk/image, exceeded=disk, kind=disk, limit=8388608, used=8388608");
            assertThat(arena.allocate(MIB).byteSize()).isEqualTo(MIB);
            assertThatIllegalStateException().isThrownBy(budget::close).withMessageContaining("diskByteSize=8388608");
        }
        assertThat(root.stats().diskByteSize()).isZero();
        assertThat(root.stats().peakDiskByteSize()).isEqualTo(8 * MIB);
        budget.close();
        root.close();
    }

    @Test
    void file_thatExceedsTheBudget_isNotMade() throws IOException {
        TestFileSystem.assumeHoles(directory);
        try (InfiniteArena arena = InfiniteArena.builder(base()).reserved().budget(budget).build()) {
            arena.allocate(5 * MIB);
            assertThatExceptionOfType(BudgetExceededException.class).isThrownBy(() -> arena.allocate(5 * MIB));
            assertThat(root.stats().diskByteSize()).isEqualTo(5 * MIB);
            try (Stream<Path> files = Files.list(directory)) {
                assertThat(files).extracting(file -> file.getFileName().toString())
                        .containsExactlyInAnyOrder("memory-0", "memory.catalog", "memory.lock");
            }
            arena.allocate(3 * MIB);
            assertThat(root.stats().diskByteSize()).isEqualTo(8 * MIB);
        }
        assertThat(root.stats().diskByteSize()).isZero();
    }

    @Test
    void build_withABudgetAndWithoutReservation_saysWhatToCall() {
        assertThatIllegalStateException().isThrownBy(() -> InfiniteArena.builder(base()).budget(budget).build())
                .withMessageContaining("call reserved()");
    }

    @Test
    void statistics_ofTheProcess_listTheImageUntilTheArenaIsClosed() {
        long mappings = MemoryStatistics.ofProcess().mappings().mappings();
        try (InfiniteArena arena = InfiniteArena.ofShared(base())) {
            MemorySegment segment = arena.allocate(100);
            segment.fill((byte) 1);
            assertThat(MemoryStatistics.ofProcess().images())
                    .contains(new ImageStatistics(arena.base().toString(), 1, 0));
            assertThat(MemoryStatistics.ofProcess().mappings().mappings()).isGreaterThan(mappings);
            assertThat(MemoryStatistics.ofProcess().mappings().maxMappings()).isEqualTo(10_000);
        }
        assertThat(MemoryStatistics.ofProcess().images()).noneMatch(image -> image.base().equals(base().toString()));
    }

    @Test
    @Tag("full")
    void recording_hasTheImageAndItsReservation() {
        assertThat(ChildJvm.granted().run(Recorded.class, base().toString())).isEqualTo(new ChildJvm.Result(0,
                "dev.arenakit.ImageOpened " + base() + " false\ndev.arenakit.DiskReserved " + base() + "-0 1048576\n"));
    }

    /// Makes a reserved image, and prints its events.
    static final class Recorded {
        private Recorded() {}

        public static void main(String[] args) throws IOException {
            Path file = Path.of(args[0] + ".jfr");
            try (Recording recording = new Recording()) {
                recording.start();
                try (InfiniteArena arena = InfiniteArena.builder(Path.of(args[0])).reserved().build()) {
                    arena.allocate(MIB);
                }
                recording.dump(file);
            }
            for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
                switch (event.getEventType().getName()) {
                    case "dev.arenakit.ImageOpened" -> print(event, "base", "reopened");
                    case "dev.arenakit.DiskReserved" -> print(event, "file", "byteSize");
                    default -> {
                        // An event of the JVM.
                    }
                }
            }
        }

        private static void print(RecordedEvent event, String first, String second) {
            System.out.println(event.getEventType().getName() + " " + event.getValue(first) + " "
                    + event.getValue(second));
        }
    }

    private Path base() {
        return directory.resolve("memory");
    }
}
