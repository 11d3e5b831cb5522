package dev.arenakit.internal.freelist;

import dev.arenakit.internal.AllocatorFunctions;
import dev.arenakit.internal.scope.Scopes;
import dev.arenakit.testing.Threads;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/// Threads that stop between two steps.
class FreeListsTest {
    private static final int SMALL = SizeClasses.classOf(16);
    private static final int LARGER = SizeClasses.classOf(32);
    private static final int OTHER = SizeClasses.classOf(1024);

    /// Two threads free a block, which is an error: the slower one then frees a later block at the same position, of
    /// another size. Meanwhile the faster one waits with the lock for the slower one to leave its stacks.
    @Test
    void free_atomicallyOfALaterBlockWhileStacksAreSuspended_doesNotWaitForTheLock() throws InterruptedException {
        Arena arena = Arena.ofShared();
        HookedLists lists = new HookedLists(arena, 2, true);
        CountDownLatch hasStacks = new CountDownLatch(1);
        CountDownLatch hasBlock = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        AtomicInteger looks = new AtomicInteger(Integer.MAX_VALUE);
        AtomicBoolean freed = new AtomicBoolean();
        long[] block = new long[1];
        Thread slower = Thread.ofPlatform().daemon().start(() -> {
            lists.free(lists.tryAllocate(OTHER), 1024);
            hasStacks.countDown();
            Threads.await(hasBlock);
            looks.set(2);
            freed.set(lists.free(block[0], 16));
        });
        lists.beforeLive = () -> {
            // The second look is the step that ends the life of the block.
            if (Thread.currentThread().equals(slower) && looks.decrementAndGet() == 0) {
                stopped.countDown();
                while (!lists.isSuspended()) {
                    Thread.onSpinWait();
                }
            }
        };
        List<Long> later = new ArrayList<>();
        Thread faster = Thread.ofPlatform().daemon().start(() -> {
            Threads.await(hasStacks);
            long first = lists.tryAllocate(SMALL);
            long second = lists.tryAllocate(SMALL);
            block[0] = first % 32 == 0 ? first : second;
            lists.free(block[0] == first ? second : first, 16);
            hasBlock.countDown();
            Threads.await(stopped);
            lists.free(block[0], 16);
            // Empties the stacks of this thread.
            lists.stats();
            for (int i = 0; i < SizeClasses.SLAB_BYTE_SIZE / 32; i++) {
                later.add(lists.tryAllocate(LARGER));
            }
            // Takes the slab whose blocks are on the stacks of the slower thread.
            later.add(lists.tryAllocateLarge(1, 1));
        });
        faster.join(TimeUnit.MINUTES.toMillis(1));
        slower.join(TimeUnit.MINUTES.toMillis(1));
        assertThat(faster.isAlive()).isFalse();
        assertThat(slower.isAlive()).isFalse();
        assertThat(later).contains(block[0]).doesNotContain(0L).doesNotHaveDuplicates();
        assertThat(freed).isTrue();
        assertThat(lists.stats().liveBlocks()).isEqualTo(later.size() - 1);
        arena.close();
    }

    /// Another thread closes the arena between the two steps of an allocation.
    @Test
    void record_afterTheArenaWasClosed_throwsAndTouchesNothing() {
        for (long byteSize : new long[]{0, 64}) {
            Arena arena = Arena.ofShared();
            RangeLists lists = new RangeLists(Scopes.viewOf(arena),
                    new RangeProvider(AllocatorFunctions.ofPools(), null, null, null), true,
                    false);
            long block = lists.tryAllocate(SizeClasses.classOf(byteSize, 64));
            arena.close();
            lists.close();
            assertThatIllegalStateException().isThrownBy(() -> lists.record(block, byteSize, 64));
        }
    }

    /// A wait for the garbage collector would ask several times, and other threads would wait for the lock.
    @Test
    void tryAllocate_withoutMemoryForTheStacksOfTheThread_usesCommonStacksAndDoesNotWait() {
        AtomicBoolean isFull = new AtomicBoolean();
        AtomicInteger requests = new AtomicInteger();
        AllocatorFunctions allocator = AllocatorFunctions.ofPools().refusing(_ -> {
            requests.incrementAndGet();
            return isFull.get();
        });
        try (Arena arena = Arena.ofShared()) {
            HookedLists lists = new HookedLists(arena, 2, false, allocator);
            assertThat(requests).hasValue(1);
            isFull.set(true);
            long block = lists.tryAllocate(SMALL);
            assertThat(block).isPositive();
            assertThat(requests).hasValue(2);
            assertThat(lists.free(block, 16)).isTrue();
            assertThat(lists.stats().liveBlocks()).isZero();
            // Later, there may be memory.
            isFull.set(false);
            requests.set(0);
            for (int i = 0; i < 10; i++) {
                assertThat(lists.tryAllocate(SMALL)).isPositive();
            }
            assertThat(requests).hasValue(1);
        }
    }

    /// An alignment is on record for its whole slab.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void record_ofAnAlignmentThatTheSlabHas_doesNotWaitForTheLock(boolean atomic) throws Exception {
        int sizeClass = SizeClasses.classOf(64, 64);
        try (Arena arena = Arena.ofShared(); ExecutorService other = Executors.newSingleThreadExecutor()) {
            HookedLists lists = new HookedLists(arena, 2, atomic);
            other.submit(() -> lists.record(lists.tryAllocate(sizeClass), 64, 64)).get();
            long block = other.submit(() -> lists.tryAllocate(sizeClass)).get();
            synchronized (lists.lock()) {
                other.submit(() -> lists.record(block, 64, 32)).get(1, TimeUnit.MINUTES);
                other.submit(() -> lists.record(block, 64, 64)).get(1, TimeUnit.MINUTES);
            }
            assertThat(lists.alignmentOf(block)).isEqualTo(64);
            lists.record(block, 64, 128);
            assertThat(lists.alignmentOf(block)).isEqualTo(128);
        }
    }

    /// Blocks of another class are of use only if a slab becomes free. To take them, all threads are stopped.
    @Test
    void tryAllocate_whenBlocksOfALiveThreadAreOfNoUse_leavesThemToIt() throws Exception {
        try (Arena arena = Arena.ofShared(); ExecutorService other = Executors.newSingleThreadExecutor()) {
            HookedLists lists = new HookedLists(arena, 2, false);
            long live = other.submit(() -> lists.tryAllocate(OTHER)).get();
            int free = lists.countOnStacks(OTHER);
            assertThat(free).isPositive();
            long block = 0;
            for (long next = lists.tryAllocate(SMALL); next != 0; next = lists.tryAllocate(SMALL)) {
                block = next;
            }
            assertThat(lists.tryAllocate(LARGER)).isZero();
            assertThat(lists.tryAllocateLarge(1, 1)).isZero();
            assertThat(lists.countOnStacks(OTHER)).isEqualTo(free);
            // The last block of a slab, and a block of the class.
            other.submit(() -> lists.free(live, 1024)).get();
            assertThat(lists.tryAllocate(LARGER)).isPositive();
            assertThat(lists.countOnStacks(OTHER)).isZero();
            long small = block;
            other.submit(() -> lists.free(small, 16)).get();
            assertThat(lists.tryAllocate(SMALL)).isEqualTo(small);
        }
    }
}
