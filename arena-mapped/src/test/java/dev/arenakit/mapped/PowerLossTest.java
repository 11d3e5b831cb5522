package dev.arenakit.mapped;

import dev.arenakit.testing.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

/// Tests images after a power loss, which shutting down a mounted file system simulates. What
/// `InfiniteArena.force()` has written is there, nothing else is listed, and a reopened image gives zeroed memory.
/// Only root can mount file systems; the tests are skipped for other users. Takes some seconds: a file system is
/// made, mounted and shut down several times.
class PowerLossTest {
    private static final int CRASHES = 200;
    private static final long DISK_BYTE_SIZE = 512L << 20;
    private int allocations;

    /// [StructurePowerLossTest] loses the power in each build.
    @Test
    @Tag("full")
    void powerLoss_atRandomPoints_leavesWhatWasForced() throws Exception {
        assertThat(crash(0, 1)).isEmpty();
        assertThat(allocations).isPositive();
    }

    /// The test of the crashes themselves: of two pages that are stored, one is written. They are far apart, because the
    /// kernel writes neighbours together.
    @Test
    @Tag("full")
    void writeBack_beforeAPowerLoss_writesOnePage() throws Exception {
        Path directory = TestFileSystem.SHARED_MEMORY.newDirectory();
        int second = 8 << 20;
        try (LoopDisk disk = LoopDisk.mount(directory, 64L << 20)) {
            Path file = Files.write(disk.root().resolve("file"), new byte[2 * second]);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
                    Arena arena = Arena.ofConfined()) {
                channel.force(true);
                MemorySegment mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, 2L * second, arena);
                mapped.set(JAVA_BYTE, 0, (byte) 7);
                mapped.set(JAVA_BYTE, second, (byte) 7);
                PowerCut power = new PowerCut(disk.root());
                PowerCut.writeBack(file, 0, 4096);
                power.now(PowerCut.Kind.NOTHING);
            }
            disk.restart();
            byte[] bytes = Files.readAllBytes(file);
            assertThat(List.of(bytes[0], bytes[second])).containsExactly((byte) 7, (byte) 0);
        }
        TestFileSystem.remove(directory);
    }

    /// The journal of ext4 has the holes, and the pages of the catalog are lost.
    @ParameterizedTest
    @EnumSource(PowerCut.Kind.class)
    @Tag("full")
    void powerLoss_afterFree_leavesAllocationsThatAreCompleteOrFreed(PowerCut.Kind kind) throws Exception {
        Path directory = TestFileSystem.SHARED_MEMORY.newDirectory();
        try (LoopDisk disk = LoopDisk.mount(directory, 256L << 20)) {
            List<Path> bases = List.of(disk.root().resolve("plain"), disk.root().resolve("chunked"));
            InfiniteArena plain = InfiniteArena.builder(bases.getFirst()).build();
            InfiniteArena chunked = InfiniteArena.builder(bases.getLast()).chunked(64 << 20).build();
            for (InfiniteArena arena : List.of(plain, chunked)) {
                for (int i = 0; i < 8; i++) {
                    arena.names().allocate("a" + i, JAVA_BYTE, i % 2 == 0 ? 2 << 20 : 5_000).fill((byte) 7);
                }
                arena.force();
                for (int i = 0; i < 4; i++) {
                    arena.free(arena.names().get("a" + i));
                }
            }
            freeSpace(plain, kind);
            freeSpace(chunked, kind);
            new PowerCut(disk.root()).now(kind);
            for (InfiniteArena arena : List.of(plain, chunked)) {
                try {
                    arena.close();
                } catch (UncheckedIOException _) {
                    // The file system is dead, and everything is unmapped.
                }
            }
            disk.restart();
            for (Path base : bases) {
                checkFreed(base);
                InfiniteArena.builder(base).reopen().close();
                checkFreed(base);
            }
        }
        TestFileSystem.remove(directory);
    }

    /// Frees the space that the arena waits to free, as many more allocations do.
    private static void freeSpace(InfiniteArena arena, PowerCut.Kind kind) {
        for (int i = 0; i < 1_000 && kind != PowerCut.Kind.SYNC; i++) {
            arena.free(arena.allocate(16, 1));
        }
    }

    private static void checkFreed(Path base) throws IOException {
        try (ArenaImage image = ArenaImage.open(base); Arena arena = Arena.ofConfined()) {
            assertThat(image.integrity().problems().filter(problem -> !problem.isNote())).isEmpty();
            for (Allocation allocation : image.allocations().filter(each -> each.name().isPresent()).toList()) {
                if (allocation.isLive()) {
                    MemorySegment memory = image.segment(allocation, arena);
                    assertThat(memory.get(JAVA_BYTE, 0)).as("%s", allocation).isEqualTo((byte) 7);
                    assertThat(memory.get(JAVA_BYTE, memory.byteSize() - 1)).as("%s", allocation).isEqualTo((byte) 7);
                }
            }
            assertThat(image.allocations().filter(Allocation::isLive).flatMap(each -> each.name().stream()))
                    .contains("a4", "a5", "a6", "a7");
        }
    }

    @Test
    @Tag("slow")
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void powerLoss_atTwoHundredRandomPoints_leavesWhatWasForced() throws Exception {
        List<String> wrong = crash(1, CRASHES);
        assertThat(wrong).as("%d crashes, %d allocations forced", CRASHES, allocations).isEmpty();
        assertThat(allocations).isGreaterThan(50 * CRASHES);
    }

    /// Simulates crashes.
    ///
    /// @return what is wrong
    private List<String> crash(int firstSeed, int count) throws Exception {
        List<String> wrong = new ArrayList<>();
        for (int seed = firstSeed; seed < firstSeed + count; seed++) {
            // A disk in memory takes more allocations between two failures, a slow one stays longer in the middle of
            // a write.
            Path directory = (seed % 4 < 2 ? TestFileSystem.SHARED_MEMORY : TestFileSystem.BUILD).newDirectory();
            try {
                wrong.addAll(crash(seed, directory));
            } finally {
                TestFileSystem.remove(directory);
            }
        }
        return wrong;
    }

    private List<String> crash(int seed, Path directory) throws Exception {
        try (LoopDisk disk = LoopDisk.mount(directory, DISK_BYTE_SIZE); Arena arena = Arena.ofShared()) {
            return crash(seed, disk, arena, directory.resolve("progress"));
        }
    }

    private List<String> crash(int seed, LoopDisk disk, Arena arena, Path progressFile) throws Exception {
        ImageProgress progress = new ImageProgress(progressFile, arena);
        ProcessBuilder command = ChildJvm.granted()
                .command(PowerLossChild.class, disk.root().toString(), progressFile.toString(),
                        Integer.toString(seed));
        Map<Integer, Forced> forced = forced(command.start());
        assertThat(forced).containsOnlyKeys(PowerLossChild.images(seed));
        disk.restart();
        List<String> wrong = new ArrayList<>();
        forced.forEach((image, atLeast) -> {
            String where = "seed=" + seed + ", image=" + image + ": ";
            allocations += IntStream.range(0, ImagePiece.THREADS).map(atLeast.known::allocated).sum();
            new WrittenImage(PowerLossChild.base(disk.root(), image), atLeast.known, atLeast.small,
                    progress.known(image)).check(seed).forEach(each -> wrong.add(where + each));
        });
        return wrong;
    }

    /// The progress of an image before the last `force()` that has returned.
    private record Forced(ImageProgress.Known known, int small) {}

    /// Reads the output of a child until it has cut the power, and waits for its end.
    private static Map<Integer, Forced> forced(Process child) throws IOException, InterruptedException {
        Map<Integer, Forced> forced = new HashMap<>();
        StringBuilder output = new StringBuilder();
        try (BufferedReader lines = child.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                output.append(line).append('\n');
                String[] words = line.split(" ", -1);
                if (words[0].equals("forced")) {
                    forced.put(Integer.valueOf(words[1]),
                            new Forced(ImageProgress.Known.parse(words[2]), Integer.parseInt(words[3])));
                }
            }
        } finally {
            child.destroyForcibly();
        }
        child.waitFor();
        assertThat(output).contains("cut\n");
        return forced;
    }
}
