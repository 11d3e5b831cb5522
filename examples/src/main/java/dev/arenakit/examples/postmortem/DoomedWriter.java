package dev.arenakit.examples.postmortem;

import dev.arenakit.examples.process.DoomedProcess;
import dev.arenakit.layout.LongField;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.mapped.InfiniteArena;
import java.io.UncheckedIOException;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// The process that [PostMortem] kills. It fills memory that is stored in files, then counts until it is killed.
///
/// The process ends by itself when it cannot allocate the memory, and when its parent has ended.
final class DoomedWriter {
    static final long TEBIBYTE = 1L << 40;
    static final long FILL_BEGIN = 1024;
    static final long FILL_END = 1280;
    static final byte FILL = 2;
    static final String TEXT = "Hello World";

    /// Numbers between two lines of output: a few milliseconds.
    private static final long STEP = 1L << 22;

    private static final MemoryLayout PAGE = MemoryLayout
            .structLayout(MemoryLayout.sequenceLayout(128, JAVA_BYTE).withName("bytes"))
            .withName("Page");
    private static final RecordMapper<Greeting> GREETINGS = RecordMapper.of(Greeting.class);
    private static final RecordMapper<Counter> COUNTERS = RecordMapper.of(Counter.class);
    private static final LongField COUNT = COUNTERS.longField("count");

    private DoomedWriter() {}

    record Greeting(@Length(16) String text) {}

    record Counter(long count) {}

    /// Writes until it is killed.
    ///
    /// @param args the base of the files
    public static void main(String[] args) {
        DoomedProcess.endWithParent();
        try {
            // The arena is never closed, because the process is killed.
            count(prepare(InfiniteArena.ofShared(Path.of(args[0]))));
        } catch (UncheckedIOException | OutOfMemoryError e) {
            System.out.println(DoomedProcess.REFUSED + e.getMessage());
            System.exit(1);
        }
    }

    private static MemorySegment prepare(InfiniteArena arena) {
        arena.names().allocate("untouched", PAGE, TEBIBYTE / PAGE.byteSize());
        arena.names()
                .allocate("filled", PAGE, TEBIBYTE / PAGE.byteSize())
                .asSlice(FILL_BEGIN, FILL_END - FILL_BEGIN)
                .fill(FILL);
        GREETINGS.set(arena.names().allocate("greeting", GREETINGS.type(), 1), new Greeting(TEXT));
        return arena.names().allocate("counter", COUNTERS.type(), 1);
    }

    private static void count(MemorySegment counter) {
        System.out.println(DoomedProcess.READY);
        for (long n = 1;; n++) {
            COUNT.setReleaseAtIndex(counter, 0, n);
            if (n % STEP == 0) {
                System.out.println(DoomedProcess.REACHED + n);
            }
        }
    }
}
