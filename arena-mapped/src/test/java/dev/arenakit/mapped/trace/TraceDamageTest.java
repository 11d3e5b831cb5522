package dev.arenakit.mapped.trace;

import dev.arenakit.MallocArena;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.InDirectory;
import dev.arenakit.testing.Threads;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/// Traces with random damage are read as far as possible: an error is an [IOException] that names the trace, a lost part
/// is named with its file, and nothing else happens.
@SuppressWarnings({"ArrayRecordComponent", "ReferenceEquality"}) // There are two contents, which nobody compares.
class TraceDamageTest extends InDirectory {
    private static final int HEADER = 32;

    /// The bytes of the catalog, and of the used part of the file with the pages.
    private record Contents(Path file, long byteSize, byte[] bytes) {
        static Contents of(Path file, long end) throws IOException {
            try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "r")) {
                byte[] bytes = new byte[(int) Math.min(end, opened.length())];
                opened.readFully(bytes);
                return new Contents(file, opened.length(), bytes);
            }
        }

        void write(byte[] changed, long length) throws IOException {
            try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw")) {
                opened.write(changed);
                opened.setLength(length);
            }
        }
    }

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void read_randomDamage_namesLostPartsAndReadsTheOthers() throws IOException {
        damage(30);
    }

    @Test
    @Tag("slow")
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void read_muchRandomDamage_namesLostPartsAndReadsTheOthers() throws IOException {
        damage(40_000);
    }

    private void damage(int rounds) throws IOException {
        record();
        List<Long> pages = new ArrayList<>();
        try (ArenaImage image = ArenaImage.open(base)) {
            image.allocations().filter(each -> each.name().isEmpty()).map(Allocation::byteOffset).forEach(pages::add);
        }
        Contents data = Contents.of(directory.resolve("memory-0"), pages.getLast() + (1 << 14));
        Contents catalog = Contents.of(directory.resolve("memory.catalog"), Long.MAX_VALUE);
        int read = 0;
        for (int seed = 0; seed < rounds; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Contents target = random.nextInt(4) == 0 ? catalog : data;
            byte[] changed = target.bytes.clone();
            for (long page : pages) {
                // Without a checksum, the events themselves are checked.
                if (target == data && random.nextInt(4) > 0) {
                    Arrays.fill(changed, (int) page + 8, (int) page + 12, (byte) 0);
                }
            }
            for (int i = random.nextInt(20); i >= 0; i--) {
                int page = pages.get(random.nextInt(pages.size())).intValue();
                int place = target == catalog || random.nextBoolean()
                        ? random.nextInt(changed.length)
                        : page + random.nextInt(random.nextBoolean() ? HEADER : 1 << 14);
                changed[place] = random.nextBoolean() ? (byte) -1 : (byte) random.nextInt();
            }
            long length = random.nextInt(5) == 0 ? random.nextInt(changed.length) : target.byteSize;
            target.write(changed, length);
            read += isRead(seed) ? 1 : 0;
            target.write(target.bytes, target.byteSize);
        }
        assertThat(read).isBetween(rounds / 2, rounds);
    }

    /// Several threads, and all kinds of events.
    private void record() {
        try (TraceRecorder recorder = AllocationTrace.record(base); Arena shared = recorder.wrap(Arena.ofShared())) {
            Threads.race(3, thread -> {
                for (int i = 0; i < 700; i++) {
                    shared.allocate(i);
                    try (TracedBlockArena arena = recorder.wrapBlocks(MallocArena.ofConfined())) {
                        MemorySegment block = arena.allocate(10L * i, 8);
                        arena.free(arena.reallocate(block, 100));
                        arena.allocate(thread, 1024);
                    }
                }
            });
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /// Reads the trace.
    ///
    /// @return whether it could be opened
    private boolean isRead(int seed) {
        List<String> problems = new ArrayList<>();
        try (AllocationTrace trace = AllocationTrace.open(base)) {
            assertThat(trace.state()).isNotNull();
            assertThat(trace.start()).isNotNull();
            List<TraceEvent> events = new ArrayList<>();
            trace.read(events::add, problems::add);
            assertThat(events).extracting(TraceEvent::nanos).as("seed " + seed).isSorted();
            assertThat(trace.summarize(_ -> {
                // They are in the list.
            }).events()).isEqualTo(events.size());
            assertThat(problems).as("seed " + seed).allMatch(problem -> problem.contains(directory.toString()));
            return true;
        } catch (IOException e) {
            assertThat(e).as("seed " + seed).hasMessageContaining(directory.toString());
            return false;
        } catch (RuntimeException e) {
            throw new AssertionError("seed " + seed, e);
        }
    }
}
