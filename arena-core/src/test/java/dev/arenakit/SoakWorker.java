package dev.arenakit;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/// Random sessions of one thread of a soak run, beside the model.
@SuppressWarnings("ThreadPriorityCheck") // Other threads are to run between two steps of a session.
final class SoakWorker {
    /// The counts of all workers.
    static final class Counters {
        final AtomicLong sessions = new AtomicLong();
        final AtomicLong allocations = new AtomicLong();
        final AtomicLong refusals = new AtomicLong();
        final AtomicLong interrupts = new AtomicLong();
    }

    private static final int MOST_SEGMENTS = 48;
    private final SoakModel model;
    private final Counters counters;
    private final Random random;

    private final List<MemorySegment> segments = new ArrayList<>();

    SoakWorker(SoakModel model, Counters counters, long seed) {
        this.model = model;
        this.counters = counters;
        this.random = new Random(seed);
    }

    /// Runs one session.
    void run(List<SoakPool> pools) {
        SoakPool pool = pools.get(random.nextInt(pools.size()));
        boolean interrupted = random.nextInt(20) == 0;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        try {
            switch (random.nextInt(12)) {
                case 0 -> slabs(pool, true);
                case 1 -> maintain(pool);
                default -> slabs(pool, pool.grouped && random.nextBoolean());
            }
        } catch (CapacityExceededException | OutOfMemoryError e) {
            counters.refusals.incrementAndGet();
        }
        counters.sessions.incrementAndGet();
        if (interrupted) {
            counters.interrupts.incrementAndGet();
            if (!Thread.interrupted()) {
                throw new AssertionError("The interrupt is lost");
            }
        }
    }

    /// Opens an arena that this thread leaves open.
    void abandon(SoakPool pool) {
        SlabArena arena = pool.pool.openConfined();
        pool.abandoned.incrementAndGet();
        MemorySegment left = arena.allocate(64);
        model.add(left.address(), 64);
    }

    private void slabs(SoakPool pool, boolean shared) {
        try (SlabArena arena = shared ? pool.pool.openShared() : pool.pool.openConfined()) {
            try {
                int frames = shared ? 0 : random.nextInt(3);
                use(arena, pool, 1 + random.nextInt(12));
                if (shared) {
                    shareWithOthers(arena, pool);
                }
                for (int i = 0; i < frames; i++) {
                    useFrame(arena, pool, random.nextInt(2));
                }
                use(arena, pool, random.nextInt(4));
            } finally {
                drop(0);
            }
        }
    }

    private void useFrame(SlabArena arena, SoakPool pool, int nested) {
        int first = segments.size();
        try (SlabArena frame = arena.pushFrame()) {
            try {
                use(frame, pool, 1 + random.nextInt(6));
                if (nested > 0) {
                    useFrame(frame, pool, nested - 1);
                }
            } finally {
                drop(first);
            }
        }
    }

    /// Lets other threads allocate from a shared arena.
    private void shareWithOthers(SlabArena arena, SoakPool pool) {
        Thread.Builder builder = random.nextBoolean() ? Thread.ofVirtual() : Thread.ofPlatform();
        Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++) {
            SoakWorker other = new SoakWorker(model, counters, random.nextLong());
            threads[i] = builder.start(() -> {
                try {
                    other.use(arena, pool, 20);
                } catch (CapacityExceededException | OutOfMemoryError e) {
                    // Refused, as intended.
                    counters.refusals.incrementAndGet();
                } catch (Throwable t) {
                    SoakSession.fail(t);
                } finally {
                    other.drop(0);
                }
            });
        }
        boolean interrupted = Thread.interrupted();
        try {
            for (Thread thread : threads) {
                SoakSession.join(thread);
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void use(SlabArena arena, SoakPool pool, int count) {
        for (int i = 0; i < count && segments.size() < MOST_SEGMENTS; i++) {
            long byteSize = byteSize();
            long byteAlignment = byteAlignment();
            register(arena.allocate(byteSize, byteAlignment), byteSize, byteAlignment, pool.zeroed);
        }
        check();
    }

    private void maintain(SoakPool pool) {
        pool.pool.trim(random.nextBoolean() ? random.nextInt(200) * 1024L : 0);
        try (SlabArena _ = pool.pool.openConfined()) {
            pool.pool.close();
            throw new AssertionError("The pool was closed before its arena");
        } catch (IllegalStateException e) {
            counters.refusals.incrementAndGet();
        }
    }

    private void register(MemorySegment segment, long byteSize, long byteAlignment, boolean zeroed) {
        counters.allocations.incrementAndGet();
        long address = segment.address();
        if (segment.byteSize() != byteSize || (address & (byteAlignment - 1)) != 0) {
            throw new AssertionError("Not as requested: byteSize=" + byteSize + ", byteAlignment=" + byteAlignment);
        }
        model.add(address, byteSize);
        segments.add(segment);
        if (zeroed && !Bytes.allAre(segment, (byte) 0)) {
            throw new AssertionError("Memory is not zeroed: " + segment);
        }
        segment.fill(pattern(address, byteSize));
    }

    /// Removes the segments from a position on from the model, before their memory is released.
    private void drop(int first) {
        check();
        while (segments.size() > first) {
            model.remove(segments.removeLast().address());
        }
    }

    private void check() {
        if (random.nextInt(4) == 0) {
            Thread.yield();
        }
        for (MemorySegment segment : segments) {
            if (!Bytes.allAre(segment, pattern(segment.address(), segment.byteSize()))) {
                throw new AssertionError("Bytes of another session: " + segment);
            }
        }
    }

    /// Not 0, and another one for most other segments.
    private static byte pattern(long address, long byteSize) {
        return (byte) (((address * 31 + byteSize * 17) >>> 3) | 1);
    }

    /// Mostly small, sometimes several to a slab, seldom large.
    private long byteSize() {
        return switch (random.nextInt(40)) {
            case 0 -> random.nextInt(1 << 20);
            case 1, 2, 3 -> random.nextInt(20_000);
            case 4 -> 0;
            default -> random.nextInt(400);
        };
    }

    private long byteAlignment() {
        return random.nextInt(50) == 0 ? 1L << random.nextInt(14) : 1L << random.nextInt(6);
    }
}
