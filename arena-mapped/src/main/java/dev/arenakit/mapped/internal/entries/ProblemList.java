package dev.arenakit.mapped.internal.entries;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import java.util.function.Function;

/// Passes the first problems of a structure on, and counts the others.
final class ProblemList {
    private static final int MOST = 10;

    private final Consumer<? super String> consumer;
    private final Function<? super MemorySegment, String> keyText;
    private long count;

    /// @param keyText makes the text of a key
    ProblemList(Consumer<? super String> consumer, Function<? super MemorySegment, String> keyText) {
        this.consumer = consumer;
        this.keyText = keyText;
    }

    /// The text of a key, for a problem.
    String key(MemorySegment key) {
        return count < MOST ? keyText.apply(key) : "";
    }

    void add(String problem) {
        if (count++ < MOST) {
            consumer.accept(problem);
        }
    }

    void finish() {
        if (count > MOST) {
            consumer.accept("More problems of this structure: count=" + (count - MOST));
        }
    }
}
