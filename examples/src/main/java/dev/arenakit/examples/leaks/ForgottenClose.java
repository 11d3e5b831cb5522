package dev.arenakit.examples.leaks;

import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import dev.arenakit.diagnostics.LeakDetection;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Counts words, and forgets to close the arena of an empty text.
final class ForgottenClose {
    private ForgottenClose() {}

    /// Runs the example.
    ///
    /// @param out where it prints
    static void run(PrintStream out) {
        SlabPool pool = SlabPool.builder()
                .leakDetection(LeakDetection.ALL.listener(
                        leak -> out.println(leak.reason() + ", " + leak.byteSize() + " bytes: "
                                + leak.stack().getFirst())))
                .build();
        out.println(words(pool, "two words") + words(pool, "") + " words");
        try {
            pool.close();
        } catch (IllegalStateException e) {
            out.println(e.getMessage());
        }
    }

    private static long words(SlabPool pool, String text) {
        SlabArena arena = pool.openConfined();
        MemorySegment copy = arena.allocateFrom(text);
        if (copy.byteSize() == 1) {
            return 0; // The arena is still open.
        }
        long spaces = copy.elements(ValueLayout.JAVA_BYTE)
                .filter(each -> each.get(ValueLayout.JAVA_BYTE, 0) == ' ')
                .count();
        arena.close();
        return spaces + 1;
    }

    /// Runs the example.
    ///
    /// @param args no arguments
    public static void main(String[] args) {
        run(System.out);
    }
}
