package dev.arenakit.internal.pool.stock;

import dev.arenakit.internal.AllocatorFunctions;
import dev.arenakit.internal.pool.BumpSlabArena;
import dev.arenakit.internal.pool.SlabCache;
import dev.arenakit.internal.pool.memory.Slab;
import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ThreadSlabCacheTest {
    private final ThreadSlabCache slabs = new ThreadSlabCache(Integer.MAX_VALUE);

    private Slab own() {
        SlabCache cache = new SlabCache("", AllocatorFunctions.libc(), 1024, Long.MAX_VALUE, Long.MAX_VALUE, false, 0,
                null,
                null, 0, 0);
        Slab slab = new Slab(cache, 1024, 1024, null, false);
        slab.state(Slab.PRIMARY);
        assertThat(slabs.add(slab)).isTrue();
        slab.state(Slab.IDLE);
        return slab;
    }

    @Test
    void acquire_whileThreadsAreSuspended_returnsNull() {
        Slab slab = own();
        slabs.suspend();
        assertThat(slabs.acquire()).isNull();
        assertThat(slab.state()).isEqualTo(Slab.IDLE);
        slabs.resume();
        assertThat(slabs.acquire()).isSameAs(slab);
        assertThat(slabs.acquire()).isNull();
    }

    /// A thread that has read the table before it was suspended must not find it again.
    @Test
    void resume_publishesATableThatWasNotPublishedBefore() throws ReflectiveOperationException {
        own();
        Field published = ThreadSlabCache.class.getDeclaredField("published");
        published.setAccessible(true);
        Object before = published.get(slabs);
        slabs.suspend();
        slabs.resume();
        assertThat(published.get(slabs)).isNotSameAs(before);
    }

    @Test
    void add_thatDoublesTheTable_publishesIt() throws InterruptedException {
        Slab first = own();
        @Nullable
        Slab[] second = new Slab[2];
        Runnable task = () -> {
            second[0] = own();
            second[1] = slabs.acquire();
        };
        // Both threads have the same slot in the table, and different slots in one of twice its length.
        int length = slabs.length();
        Thread other = Thread.ofPlatform().unstarted(task);
        while ((other.threadId() - Thread.currentThread().threadId()) % (2L * length) != length) {
            other = Thread.ofPlatform().unstarted(task);
        }
        other.start();
        other.join();
        assertThat(second[1]).isNotNull().isSameAs(second[0]);
        assertThat(slabs.acquire()).isSameAs(first);
        assertThat(slabs.length()).isEqualTo(2 * length);
    }

    @Test
    void openConfined_whenAnErrorHasPreventedThatThreadsAreResumed_takesTheSlabOfTheThreadAndResumesThem() {
        SlabCache cache = new SlabCache("", AllocatorFunctions.libc(), 1024, Long.MAX_VALUE, Long.MAX_VALUE, true, 0,
                null,
                null, 0, 0);
        long address = addressOfOne(cache);
        cache.threadSlabs.suspend();
        assertThat(addressOfOne(cache)).isEqualTo(address);
        assertThat(cache.threadSlabs.acquire()).isNotNull();
    }

    private static long addressOfOne(SlabCache cache) {
        try (BumpSlabArena arena = BumpSlabArena.confined(cache, cache.threadSlabs)) {
            return arena.allocate(8).address();
        }
    }
}
