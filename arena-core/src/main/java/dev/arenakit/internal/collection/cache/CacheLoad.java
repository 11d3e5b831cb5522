package dev.arenakit.internal.collection.cache;

import dev.arenakit.collection.concurrent.CacheLoader;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/// A run of a loader for a key, whose value other threads may wait for.
public final class CacheLoad {
    /*
     * An Error can strike in any call. The end of a load is a store to a field, which is no call, and a thread that waits
     * looks at the field again after this time: it does not depend on a notification that an Error has prevented.
     */
    private static final long LOOK_AGAIN_MILLIS = 100;

    final CacheKey key;
    private final Thread owner = Thread.currentThread();
    private byte @Nullable [] value;
    private @Nullable Throwable failure;
    private volatile boolean isDone;

    public CacheLoad(CacheKey key) {
        this.key = key.copy();
    }

    boolean isDone() {
        return isDone;
    }

    void setValue(byte[] loaded) {
        value = loaded;
    }

    /// Runs the loader unless another thread loads the key, and stores the value unless the key was changed meanwhile.
    ///
    /// @param waiting the loads that the threads of the cache wait for
    public <X extends Exception> byte[] run(CacheShard shard, CacheRules rules, CacheLoader<X> loader,
            Map<Thread, CacheLoad> waiting) throws X {
        CacheLoad running;
        try {
            running = shard.start(this, rules.now());
            if (running == this) {
                byte[] present = value;
                if (present != null) {
                    return present;
                }
                byte[] loaded = Objects.requireNonNull(loader.load(), "value of the loader");
                // The caller may change the loaded array before a waiting thread copies it.
                value = loaded.clone();
                shard.store(this, loaded, rules.now());
                return loaded;
            }
        } catch (Throwable t) {
            failure = t;
            throw t;
        } finally {
            isDone = true;
            wakeAll();
            shard.end(this);
            rules.deliver();
        }
        return running.await(waiting);
    }

    @SuppressWarnings("ReferenceEquality") // A subclass of Thread could override equals.
    private byte[] await(Map<Thread, CacheLoad> waiting) {
        Thread thread = Thread.currentThread();
        waiting.put(thread, this);
        try {
            // Each of two threads that wait for each other registers first, so that at least one of them finds the other.
            for (CacheLoad load = this; load != null && !load.isDone; load = waiting.get(load.owner)) {
                if (load.owner == thread) {
                    throw new IllegalStateException(
                            "A loader waits for its own key, which would never end: keyByteSize="
                                    + key.byteSize + ", owner=" + owner.getName()
                                    + "; load no key of this cache from its own loader, and others in one order only");
                }
            }
            awaitEnd();
        } finally {
            waiting.remove(thread);
        }
        byte[] loaded = value;
        if (loaded == null || failure != null) {
            throw new CompletionException("The loader of another thread has failed: owner="
                    + owner.getName() + '#' + owner.threadId(), failure);
        }
        return loaded.clone();
    }

    private synchronized void awaitEnd() {
        boolean isInterrupted = false;
        while (!isDone) {
            try {
                wait(LOOK_AGAIN_MILLIS);
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void wakeAll() {
        notifyAll();
    }
}
