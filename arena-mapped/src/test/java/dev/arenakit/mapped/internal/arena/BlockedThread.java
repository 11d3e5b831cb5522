package dev.arenakit.mapped.internal.arena;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import static org.assertj.core.api.Assertions.assertThat;

/// A thread that has come to a monitor which another thread holds.
record BlockedThread<T>(CompletableFuture<T> future) {
    /// Starts a thread, and waits until it waits for a monitor.
    static <T> BlockedThread<T> start(Supplier<T> action) throws InterruptedException {
        CompletableFuture<T> future = new CompletableFuture<>();
        Thread thread = Thread.ofPlatform().daemon().start(() -> {
            try {
                future.complete(action.get());
            } catch (Throwable t) {
                future.completeExceptionally(t);
            }
        });
        while (thread.getState() != Thread.State.BLOCKED) {
            assertThat(future).isNotDone();
            TimeUnit.MILLISECONDS.sleep(1);
        }
        return new BlockedThread<>(future);
    }

    T result() throws Exception {
        return future.get(1, TimeUnit.MINUTES);
    }
}
