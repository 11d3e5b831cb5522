package dev.arenakit.collection.concurrent;

import dev.arenakit.FreeListArena;
import dev.arenakit.MallocArena;
import dev.arenakit.testing.ChildJvm;
import dev.arenakit.testing.Threads;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Several threads at once: consistent values, one loader for a key, and the end beside look-ups.
@SuppressWarnings({"NullAway", "ThreadPriorityCheck"}) // Tests pass null for a missing value, and let others run.
class ConcurrentLruMapThreadsTest {
    private static final int THREADS = 4;

    @AutoClose
    private final ConcurrentLruMap map = ConcurrentLruMap.builder(1 << 16).shards(4).owning(MallocArena::ofShared);

    @Test
    void operations_ofManyThreads_seeWholeValuesAndCountAll() {
        run(MallocArena::ofShared, 2_000);
        run(FreeListArena::ofShared, 2_000);
    }

    @Tag("slow")
    @Test
    void operations_millionsOfManyThreads_seeWholeValuesAndCountAll() {
        run(MallocArena::ofShared, 10_000_000);
    }

    private static void run(Supplier<Arena> arenas, int operations) {
        AtomicLong removals = new AtomicLong();
        AtomicLong hits = new AtomicLong();
        AtomicLong added = new AtomicLong();
        try (ConcurrentLruMap map = ConcurrentLruMap.builder(1 << 16).shards(4).onRemoval((key, value, cause) -> {
            check(MemorySegment.ofArray(key).get(JAVA_INT_UNALIGNED, 0), MemorySegment.ofArray(value), value.length);
            if (cause != RemovalCause.REPLACED) {
                removals.incrementAndGet();
            }
        }).owning(arenas)) {
            Threads.race(THREADS, index -> {
                Random random = new Random(index);
                MemorySegment target = MemorySegment.ofArray(new byte[400]);
                MemorySegment value = MemorySegment.ofArray(new byte[400]);
                for (int i = 0; i < operations; i++) {
                    int key = random.nextInt(1_000);
                    switch (random.nextInt(4)) {
                        case 0 -> {
                            int size = 4 * (1 + random.nextInt(90));
                            for (int at = 0; at < size; at += 4) {
                                value.set(JAVA_INT_UNALIGNED, at, key * 1_000 + at % 7);
                            }
                            added.addAndGet(map.put(key, value.asSlice(0, size)) ? 1 : 0);
                        }
                        case 1 -> map.remove(key);
                        default -> {
                            int size = map.find(key, target);
                            if (size >= 0) {
                                hits.incrementAndGet();
                                check(key, target, size);
                            }
                        }
                    }
                }
            });
            CacheStatistics stats = map.stats();
            assertThat(stats.hits()).isEqualTo(hits.get());
            assertThat(stats.size()).isEqualTo(added.get() - removals.get());
            map.clear();
            assertThat(removals.get()).isEqualTo(added.get());
            assertThat(map.stats().usedByteSize()).isZero();
        }
    }

    private static void check(int key, MemorySegment value, int size) {
        for (int at = 0; at < size; at += 4) {
            if (value.get(JAVA_INT_UNALIGNED, at) != key * 1_000 + at % 7) {
                throw new AssertionError("Foreign bytes: key=" + key + ", offset=" + at);
            }
        }
    }

    @Test
    void getOrLoad_byManyThreads_loadsOnceForEachKey() {
        AtomicInteger loads = new AtomicInteger();
        Threads.race(THREADS, _ -> {
            for (int i = 0; i < 500; i++) {
                int key = i;
                byte[] value = map.getOrLoad(key, () -> {
                    loads.incrementAndGet();
                    Thread.yield();
                    return new byte[]{(byte) key};
                });
                assertThat(value).containsExactly((byte) key);
                value[0]++;
            }
        });
        assertThat(loads.get()).isEqualTo(500);
    }

    @Test
    void getOrLoad_loaderFails_failsForAllThatWait() {
        List<Throwable> thrown = new ArrayList<>();
        Thread[] waiting = new Thread[2];
        Runnable load = () -> {
            try {
                map.getOrLoad("key", () -> new byte[1]);
            } catch (Throwable t) {
                synchronized (thrown) {
                    thrown.add(t);
                }
            }
        };
        assertThatThrownBy(() -> map.getOrLoad("key", () -> {
            waiting[0] = Thread.ofPlatform().start(load);
            waiting[1] = Thread.ofVirtual().start(load);
            for (Thread thread : waiting) {
                awaitTimedWait(thread);
            }
            waiting[0].interrupt();
            throw new UnsupportedOperationException("no data");
        })).hasMessage("no data");
        for (Thread thread : waiting) {
            Threads.join(thread);
        }
        assertThat(thrown).hasSize(2)
                .allSatisfy(t -> assertThat(t).isInstanceOf(CompletionException.class)
                        .hasMessageStartingWith("The loader of another thread has failed: owner=")
                        .cause()
                        .hasMessage("no data"));
        assertThat(map.getOrLoad("key", () -> new byte[3])).hasSize(3);
    }

    @Test
    void getOrLoad_twoLoadersWaitForEachOther_failsInsteadOfWaiting() {
        CyclicBarrier bothLoad = new CyclicBarrier(2);
        AtomicInteger failures = new AtomicInteger();
        Threads.race(2, index -> {
            try {
                map.getOrLoad(index, () -> {
                    bothLoad.await();
                    return map.getOrLoad(1 - index, () -> new byte[1]);
                });
            } catch (IllegalStateException | CompletionException e) {
                failures.incrementAndGet();
            }
        });
        assertThat(failures.get()).isEqualTo(2);
        assertThat(map.size()).isZero();
    }

    @Test
    void getOrLoad_removeDuringTheLoad_loadsAgainAndKeepsTheNewValue() {
        CountDownLatch isLoading = new CountDownLatch(1);
        CountDownLatch isLoadedAgain = new CountDownLatch(1);
        Threads.race(2, index -> {
            if (index == 0) {
                assertThat(map.getOrLoad("key", () -> {
                    isLoading.countDown();
                    isLoadedAgain.await();
                    return new byte[]{1};
                })).containsExactly(1);
            } else {
                isLoading.await();
                map.remove("key");
                assertThat(map.getOrLoad("key", () -> new byte[]{2})).containsExactly(2);
                isLoadedAgain.countDown();
            }
        });
        assertThat(map.get("key", null)).containsExactly(2);
    }

    @Test
    void close_besideOperations_endsThemClearly() {
        for (int round = 0; round < 8; round++) {
            ConcurrentLruMap closed = ConcurrentLruMap.builder(1 << 16).shards(4).owning(MallocArena::ofShared);
            CountDownLatch isUsed = new CountDownLatch(THREADS - 1);
            Threads.race(THREADS, index -> {
                if (index == 0) {
                    isUsed.await();
                    closed.close();
                    return;
                }
                MemorySegment target = MemorySegment.ofArray(new byte[100]);
                // A thread that waits for a loader of another thread gets its exception as the cause.
                assertThatThrownBy(() -> {
                    for (int i = 0;; i++) {
                        closed.put(i % 1_000, new byte[i % 100]);
                        closed.find(i % 1_000 * (long) index, target);
                        closed.getOrLoad(-i, () -> new byte[10]);
                        isUsed.countDown();
                    }
                }).satisfies(t -> assertThat(t instanceof CompletionException ? t.getCause() : t)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("Already closed: ConcurrentLruMap"));
            });
        }
    }

    /// Writes a gigabyte in another JVM.
    @Tag("full")
    @EnabledOnOs(OS.LINUX)
    @Test
    void put_gigabytesInASmallProcess_staysWithinItsLimit() {
        ProcessBuilder session = ChildJvm.granted("-Xmx48m", ChildJvm.OPTIMIZING).command(CacheMemorySession.class);
        session.command().addAll(0, List.of("sh", "-c", "ulimit -v 16777216 && exec \"$@\"", "sh"));
        assertThat(ChildJvm.run(session)).isEqualTo("""
                evictions true, used true
                refused
                then true
                within 512 MiB
                """);
    }

    private static void awaitTimedWait(Thread thread) {
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
    }
}
