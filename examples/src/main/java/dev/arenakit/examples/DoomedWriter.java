package dev.arenakit.examples;

import dev.arenakit.mapped.InfiniteArena;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// The process that [PostMortem] kills: it fills memory that lies in files, then counts in it until it is killed.
///
/// It tells its parent how far it is, a line each: that it is ready, then, from time to time, the number it has reached. It ends by
/// itself when it cannot begin, and when its parent is gone.
final class DoomedWriter {
    static final String READY = "ready";
    static final String REACHED = "reached ";
    static final String REFUSED = "refused ";

    static final long TEBIBYTE = 1L << 40;
    static final long FILL_BEGIN = 1024;
    static final long FILL_END = 1280;
    static final byte FILL = 2;
    static final String TEXT = "Hello World";

    /// A few milliseconds of counting.
    private static final long STEP = 1L << 22;
    private static final VarHandle LONG = JAVA_LONG.varHandle().withInvokeExactBehavior();

    private DoomedWriter() {}

    /// Writes until it is killed.
    ///
    /// @param args the base of the files
    public static void main(String[] args) {
        endWithParent();
        try {
            // Never closed: this process does not come to its end.
            count(prepare(InfiniteArena.ofShared(Path.of(args[0]))));
        } catch (UncheckedIOException | OutOfMemoryError e) {
            System.out.println(REFUSED + e.getMessage());
            System.exit(1);
        }
    }

    private static MemorySegment prepare(InfiniteArena arena) {
        arena.allocate(TEBIBYTE);
        arena.allocate(TEBIBYTE).asSlice(FILL_BEGIN, FILL_END - FILL_BEGIN).fill(FILL);
        arena.allocate(16).setString(0, TEXT);
        return arena.allocate(JAVA_LONG);
    }

    private static void count(MemorySegment counter) {
        System.out.println(READY);
        for (long n = 1;; n++) {
            LONG.setRelease(counter, 0L, n);
            if (n % STEP == 0) {
                System.out.println(REACHED + n);
            }
        }
    }

    /// The parent holds the other end of standard input, and says nothing there.
    private static void endWithParent() {
        Thread watch = new Thread(() -> {
            try {
                System.in.read();
            } catch (IOException e) {
                System.err.println("Standard input cannot be read: " + e);
            }
            Runtime.getRuntime().halt(1);
        });
        watch.setDaemon(true);
        watch.start();
    }
}
