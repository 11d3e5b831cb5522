package dev.arenakit;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Random sessions of one thread of a soak run, beside the model.
///
/// A session takes each step either directly, or at a random depth near the end of the stack.
@SuppressWarnings("ThreadPriorityCheck") // Other threads are to run between two steps of a session.
final class SoakWorker {
    /// The ways in which a session may end.
    enum Failures {
        /// Refused native allocations and full pools.
        REFUSALS,
        /// Also an exhausted heap.
        HEAP,
        /// Also steps near the end of the stack.
        STACK
    }

    /// The counts of all workers.
    static final class Counters {
        final AtomicLong sessions = new AtomicLong();
        final AtomicLong allocations = new AtomicLong();
        final AtomicLong refusals = new AtomicLong();
        final AtomicLong heapErrors = new AtomicLong();
        final AtomicLong stackErrors = new AtomicLong();
        final AtomicLong interrupts = new AtomicLong();
    }

    private static final int MOST_SEGMENTS = 48;
    /// A step has fewer than 8 to 256 frames of [#descend]: compiled code needs few, interpreted code many.
    private static final int FEWEST_FRAMES = 8;
    private static final String NATIVE = "Native memory exhausted";

    private final SoakModel model;
    private final Counters counters;
    private final Failures failures;
    private final Random random;

    private final @Nullable MemorySegment[] segments = new MemorySegment[MOST_SEGMENTS];
    private int segmentCount;
    private boolean deep;
    private int framesLeft;
    private @Nullable SlabArena slabArena;
    private @Nullable MallocArena mallocArena;
    private @Nullable MemorySegment segment;

    SoakWorker(SoakModel model, Counters counters, Failures failures, long seed) {
        this.model = model;
        this.counters = counters;
        this.failures = failures;
        this.random = new Random(seed);
    }

    /// Runs one session.
    void run(List<SoakPool> pools, NativeAllocator refusing) {
        deep = failures == Failures.STACK && random.nextInt(4) != 0;
        SoakPool pool = pools.get(random.nextInt(pools.size()));
        boolean interrupted = failures == Failures.REFUSALS && random.nextInt(20) == 0;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        try {
            switch (random.nextInt(16)) {
                case 0 -> slabs(pool, true);
                case 1, 2 -> mallocs(random.nextBoolean() ? NativeAllocator.libc() : refusing, true);
                case 3, 4 -> mallocs(random.nextBoolean() ? NativeAllocator.libc() : refusing, false);
                case 5 -> maintain(pool);
                default -> slabs(pool, false);
            }
        } catch (CapacityExceededException e) {
            counters.refusals.incrementAndGet();
        } catch (OutOfMemoryError e) {
            count(e);
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
        SlabArena arena = open(pool, shared);
        if (arena == null) {
            return;
        }
        boolean perhapsStuck = false;
        try {
            int frames = shared ? 0 : random.nextInt(3);
            use(arena, pool, 1 + random.nextInt(12));
            if (shared && failures == Failures.REFUSALS) {
                shareWithOthers(arena, pool);
            }
            for (int i = 0; i < frames && !perhapsStuck; i++) {
                perhapsStuck = useFrame(arena, pool, random.nextInt(2));
            }
            if (!perhapsStuck) {
                use(arena, pool, random.nextInt(4));
            }
        } finally {
            drop(0);
            close(arena, pool.perhapsLost, pool.overflows, perhapsStuck);
        }
    }

    private @Nullable SlabArena open(SoakPool pool, boolean shared) {
        slabArena = null;
        try {
            step(() -> slabArena = shared ? pool.pool.openShared() : pool.pool.openConfined());
        } catch (StackOverflowError e) {
            count(pool);
            pool.perhapsLost.incrementAndGet();
        }
        return slabArena;
    }

    /// @return whether the frame may have remained open
    private boolean useFrame(SlabArena arena, SoakPool pool, int nested) {
        slabArena = null;
        try {
            step(() -> slabArena = arena.pushFrame());
        } catch (StackOverflowError e) {
            count(pool);
        }
        SlabArena frame = slabArena;
        if (frame == null) {
            pool.perhapsLost.incrementAndGet();
            return true;
        }
        boolean stuck = false;
        int first = segmentCount;
        try {
            use(frame, pool, 1 + random.nextInt(6));
            if (nested > 0) {
                stuck = useFrame(frame, pool, nested - 1);
            }
        } finally {
            drop(first);
            stuck |= close(frame, pool.perhapsLost, pool.overflows, stuck);
        }
        return stuck;
    }

    /// Lets other threads allocate from a shared arena.
    private void shareWithOthers(SlabArena arena, SoakPool pool) {
        AtomicInteger wrong = new AtomicInteger();
        Thread.Builder builder = random.nextBoolean() ? Thread.ofVirtual() : Thread.ofPlatform();
        Thread[] threads = new Thread[3];
        boolean race = random.nextBoolean();
        for (int i = 0; i < threads.length; i++) {
            SoakWorker other = new SoakWorker(model, counters, failures, random.nextLong());
            threads[i] = builder.start(() -> {
                try {
                    other.use(arena, pool, 20);
                } catch (CapacityExceededException | OutOfMemoryError e) {
                    // Refused, as intended.
                    counters.refusals.incrementAndGet();
                } catch (Throwable t) {
                    wrong.incrementAndGet();
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
            if (race) {
                raceToClose(pool);
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Two threads close a shared arena, and one of them wins, while others allocate.
    private void raceToClose(SoakPool pool) {
        AtomicInteger winners = new AtomicInteger();
        SlabArena arena = pool.pool.openShared();
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            boolean closes = i < 2;
            threads[i] = Thread.ofPlatform().start(() -> {
                try {
                    for (int k = 0; k < 20; k++) {
                        arena.allocate(40, 8).fill((byte) k);
                    }
                    if (closes) {
                        arena.close();
                        winners.incrementAndGet();
                    }
                } catch (IllegalStateException | CapacityExceededException | OutOfMemoryError e) {
                    // Closed or refused, as intended.
                    counters.refusals.incrementAndGet();
                    if (closes && arena.scope().isAlive() && !(e instanceof IllegalStateException)) {
                        closeLate(arena, winners);
                    }
                } catch (Throwable t) {
                    SoakSession.fail(t);
                }
            });
        }
        for (Thread thread : threads) {
            SoakSession.join(thread);
        }
        if (winners.get() != 1) {
            throw new AssertionError("An arena was closed several times or never: winners=" + winners);
        }
    }

    private static void closeLate(SlabArena arena, AtomicInteger winners) {
        try {
            arena.close();
            winners.incrementAndGet();
        } catch (IllegalStateException e) {
            // The other thread has closed it.
            Thread.onSpinWait();
        }
    }

    private void use(SlabArena arena, SoakPool pool, int count) {
        for (int i = 0; i < count && segmentCount < MOST_SEGMENTS; i++) {
            long byteSize = byteSize();
            long byteAlignment = byteAlignment();
            segment = null;
            try {
                step(() -> segment = arena.allocate(byteSize, byteAlignment));
            } catch (StackOverflowError e) {
                count(pool);
            }
            if (segment != null) {
                register(segment, byteSize, byteAlignment, pool.zeroed);
            }
        }
        check();
    }

    private void mallocs(NativeAllocator allocator, boolean guarded) {
        mallocArena = null;
        MallocArena.Builder builder = MallocArena.builder().allocator(allocator);
        if (guarded && random.nextBoolean()) {
            builder.shared();
        }
        if (guarded && random.nextBoolean()) {
            builder.checked();
        }
        try {
            step(() -> mallocArena = builder.build());
        } catch (StackOverflowError e) {
            counters.stackErrors.incrementAndGet();
        }
        MallocArena arena = mallocArena;
        if (arena == null) {
            return;
        }
        try {
            int count = 1 + random.nextInt(12);
            for (int i = 0; i < count; i++) {
                useBlock(arena);
            }
        } finally {
            drop(0);
            close(arena, SoakSession.MALLOC_LOST, SoakSession.MALLOC_OVERFLOWS, false);
        }
    }

    private void useBlock(MallocArena arena) {
        if (segmentCount > 0 && random.nextInt(3) == 0) {
            MemorySegment old = remove(random.nextInt(segmentCount));
            long newByteSize = byteSize();
            boolean frees = random.nextBoolean();
            segment = null;
            try {
                step(frees ? () -> arena.free(old) : () -> segment = arena.reallocate(old, newByteSize));
            } catch (StackOverflowError e) {
                // The block may be free, or only lost.
                counters.stackErrors.incrementAndGet();
                return;
            } catch (OutOfMemoryError e) {
                count(e);
                // Nothing has changed.
                model.add(old.address(), old.byteSize());
                segments[segmentCount++] = old;
                checkPattern(old);
                return;
            }
            if (segment != null) {
                long kept = Math.min(old.byteSize(), newByteSize);
                if (kept > 0 && segment.get(ValueLayout.JAVA_BYTE, 0) != pattern(old.address(), old.byteSize())) {
                    throw new AssertionError("Bytes are lost: newByteSize=" + newByteSize);
                }
                register(segment, newByteSize, 1, false);
            }
            return;
        }
        if (segmentCount == MOST_SEGMENTS) {
            return;
        }
        long byteSize = byteSize();
        long byteAlignment = byteAlignment();
        boolean zeroed = random.nextInt(4) == 0;
        segment = null;
        try {
            step(() -> segment = zeroed
                    ? arena.allocateZeroed(byteSize, byteAlignment)
                    : arena.allocate(byteSize, byteAlignment));
        } catch (StackOverflowError e) {
            counters.stackErrors.incrementAndGet();
        }
        if (segment != null) {
            register(segment, byteSize, byteAlignment, zeroed);
        }
        check();
    }

    private void maintain(SoakPool pool) {
        try {
            if (random.nextBoolean()) {
                step(() -> pool.pool.trim(random.nextInt(200) * 1024L));
            } else {
                step(() -> pool.pool.trim(0));
            }
            step(pool.pool::stats);
        } catch (StackOverflowError e) {
            count(pool);
        }
    }

    /// Closes an arena or a frame, again if it has remained open.
    ///
    /// @param perhapsStuck whether an earlier error may have made it impossible
    /// @return whether it may have remained open
    private boolean close(Arena arena, AtomicInteger perhapsLost, AtomicInteger overflows, boolean perhapsStuck) {
        boolean counted = perhapsStuck;
        while (true) {
            try {
                step(arena::close);
                return counted;
            } catch (StackOverflowError e) {
                counters.stackErrors.incrementAndGet();
                overflows.incrementAndGet();
                if (!counted) {
                    perhapsLost.incrementAndGet();
                    counted = true;
                }
                if (!arena.scope().isAlive()) {
                    return true;
                }
                deep = false;
            } catch (OutOfMemoryError e) {
                count(e);
                if (!arena.scope().isAlive()) {
                    SoakSession.failWithoutHeap(arena, e);
                    return false;
                }
                Thread.yield();
            } catch (IllegalStateException e) {
                if (counted) {
                    return true;
                }
                throw e;
            }
        }
    }

    private void register(MemorySegment segment, long byteSize, long byteAlignment, boolean zeroed) {
        counters.allocations.incrementAndGet();
        long address = segment.address();
        if (segment.byteSize() != byteSize || (address & (byteAlignment - 1)) != 0) {
            throw new AssertionError("Not as requested: byteSize=" + byteSize + ", byteAlignment=" + byteAlignment);
        }
        model.add(address, byteSize);
        segments[segmentCount++] = segment;
        if (zeroed) {
            checkZero(segment);
        }
        segment.fill(pattern(address, byteSize));
    }

    /// Removes the segments from a position on from the model, before their memory is released.
    private void drop(int first) {
        check();
        while (segmentCount > first) {
            remove(segmentCount - 1);
        }
    }

    private MemorySegment remove(int position) {
        MemorySegment removed = segments[position];
        if (removed == null) {
            throw new AssertionError();
        }
        checkPattern(removed);
        model.remove(removed.address());
        segmentCount--;
        segments[position] = segments[segmentCount];
        segments[segmentCount] = null;
        return removed;
    }

    private void check() {
        if (random.nextInt(4) == 0) {
            Thread.yield();
        }
        for (int i = 0; i < segmentCount; i++) {
            MemorySegment checked = segments[i];
            if (checked != null) {
                checkPattern(checked);
            }
        }
    }

    private static void checkZero(MemorySegment segment) {
        long byteSize = segment.byteSize();
        // Each page of a large segment, each byte of a small one.
        long step = byteSize > 64 * 1024 ? 509 : 1;
        for (long offset = 0; offset < byteSize; offset += step) {
            if (segment.get(ValueLayout.JAVA_BYTE, offset) != 0) {
                throw new AssertionError("Memory is not zeroed: address=0x" + Long.toHexString(segment.address())
                        + ", byteSize=" + byteSize + ", offset=" + offset);
            }
        }
    }

    private static void checkPattern(MemorySegment segment) {
        long byteSize = segment.byteSize();
        byte pattern = pattern(segment.address(), byteSize);
        long step = Math.max(1, byteSize / 16);
        for (long offset = 0; offset < byteSize; offset += step) {
            if (segment.get(ValueLayout.JAVA_BYTE, offset) != pattern) {
                throw new AssertionError("Bytes of another session: address=0x" + Long.toHexString(segment.address())
                        + ", byteSize=" + byteSize + ", offset=" + offset);
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

    private void step(Runnable step) {
        if (!deep || random.nextInt(3) == 0) {
            step.run();
            return;
        }
        framesLeft = Integer.MAX_VALUE;
        try {
            descend(step);
        } catch (StackOverflowError e) {
            // As many frames as fit, less a few.
            framesLeft = Integer.MAX_VALUE - framesLeft - random.nextInt(FEWEST_FRAMES << random.nextInt(6));
        }
        descend(step);
    }

    private void descend(Runnable step) {
        if (--framesLeft <= 0) {
            step.run();
        } else {
            descend(step);
        }
    }

    private void count(OutOfMemoryError e) {
        String message = e.getMessage();
        boolean isNative = message != null && message.startsWith(NATIVE);
        (isNative ? counters.refusals : counters.heapErrors).incrementAndGet();
        if (!isNative && failures != Failures.HEAP) {
            throw e;
        }
    }

    private void count(SoakPool pool) {
        counters.stackErrors.incrementAndGet();
        pool.overflows.incrementAndGet();
    }
}
