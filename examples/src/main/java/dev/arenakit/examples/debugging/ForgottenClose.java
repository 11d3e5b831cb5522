package dev.arenakit.examples.debugging;

import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Parses numbers in arenas of a pool. One path forgets to close the arena.
public final class ForgottenClose {
    private ForgottenClose() {}

    /// Runs the program.
    ///
    /// @param arguments none
    public static void main(String[] arguments) {
        try (SlabPool pool = SlabPool.create()) {
            for (String line : List.of("1 2", "3", "4 x", "5 6")) {
                System.out.println(line + ": " + numbers(pool, line) + " numbers");
            }
            System.out.println(pool.stats());
        }
    }

    private static int numbers(SlabPool pool, String line) {
        SlabArena arena = pool.openConfined();
        MemorySegment text = arena.allocateFrom(line);
        int numbers = 0;
        for (String word : text.getString(0).split(" ", -1)) {
            if (!Character.isDigit(word.charAt(0))) {
                return 0; // the bug: the arena stays open
            }
            numbers++;
        }
        arena.close();
        return numbers;
    }
}
