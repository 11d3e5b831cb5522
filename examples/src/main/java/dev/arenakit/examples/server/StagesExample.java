package dev.arenakit.examples.server;

import dev.arenakit.SlabArena;
import dev.arenakit.SlabParcel;
import dev.arenakit.SlabPool;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;

/// Stages of a [CompletableFuture] that run on different threads, and pass memory on.
final class StagesExample {
    private StagesExample() {}

    /// Copies a text to a pool on one executor, and converts it to upper case on another.
    static CompletableFuture<String> upperCase(SlabPool pool, Executor readers, Executor workers, String text) {
        CompletableFuture<Begun> begun = CompletableFuture.supplyAsync(() -> begin(pool, text), readers);
        return begun.thenApplyAsync(StagesExample::finish, workers).whenComplete((answer, failure) -> {
            if (begun.state() == Future.State.SUCCESS) {
                begun.resultNow().parcel().close(); // has no effect, unless the second stage was never run
            }
        });
    }

    private static Begun begin(SlabPool pool, String text) {
        try (SlabArena arena = pool.openConfined()) {
            MemorySegment copy = arena.allocateFrom(text);
            return new Begun(arena.detach(), copy);
        }
    }

    private static String finish(Begun begun) {
        try (SlabArena arena = begun.parcel().attach()) {
            String text = begun.parcel().segment(begun.text()).getString(0);
            return arena.allocateFrom(text.toUpperCase(Locale.ROOT)).getString(0);
        }
    }

    /// What the first stage passes on. The segment belongs to the arena that was detached.
    private record Begun(SlabParcel parcel, MemorySegment text) {}
}
