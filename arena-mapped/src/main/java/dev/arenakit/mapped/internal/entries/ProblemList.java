package dev.arenakit.mapped.internal.entries;

import java.util.function.Consumer;

/// Passes the first problems of a structure on, and counts the others.
final class ProblemList {
    private static final int MOST = 10;

    private final Consumer<? super String> consumer;
    private long count;

    ProblemList(Consumer<? super String> consumer) {
        this.consumer = consumer;
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
