package dev.arenakit.bench.replay;

import dev.arenakit.BlockAllocator;
import dev.arenakit.bench.replay.ReplayProgram.Step;
import dev.arenakit.mapped.trace.TraceEvent.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Runs a [ReplayProgram] with the arenas of a candidate.
///
/// An arena that frees no blocks keeps them until it is closed, and resizes by a copy. A call that the candidate refuses
/// is counted, and its memory is missing in later steps.
///
/// @param confined opens an arena for one thread
/// @param shared   opens an arena for all threads
/// @param touches  whether a byte of each allocated page is written
/// @param isPaced  whether each step waits for its recorded time
/// @param refused  the number of refused calls
public record Replayer(ReplayProgram program, Supplier<Arena> confined, Supplier<Arena> shared, boolean touches,
        boolean isPaced, LongAdder refused) {
    private static final long PAGE = 4096;
    /// The number of steps of the counters of progress, so that two threads do not write to one cache line.
    private static final int STRIDE = 32;
    private static final int YIELDS = 4;
    /// A thread that only yields keeps the processor from threads that have not begun.
    private static final long PAUSE_NANOS = 20_000;

    /// Creates a replayer that has refused nothing.
    public Replayer(ReplayProgram program, Supplier<Arena> confined, Supplier<Arena> shared, boolean touches,
            boolean isPaced) {
        this(program, confined, shared, touches, isPaced, new LongAdder());
    }

    /// Runs all steps.
    ///
    /// @return the number of steps
    public long run() {
        return run(null);
    }

    /// Runs all steps of all threads, and closes all arenas.
    ///
    /// @param latencies takes the time of each step in nanoseconds, from any thread; null if the steps are not timed
    /// @return the number of steps
    public long run(@Nullable LongConsumer latencies) {
        Run run = new Run(latencies);
        if (program.isOfOneThread()) {
            run.steps(program.lanes().getFirst().getFirst());
        } else {
            run.lanes();
        }
        for (int arena : program.unclosed()) {
            Arena open = run.arenas[arena];
            if (open != null) {
                open.close();
            }
        }
        return IntStream.range(0, program.threads()).mapToLong(thread -> run.progress.get(thread * STRIDE)).sum();
    }

    /// One run of the program.
    private final class Run {
        final @Nullable Arena[] arenas = new Arena[program.arenas()];
        private final @Nullable MemorySegment[] blocks = new MemorySegment[program.blocks()];
        final AtomicIntegerArray progress = new AtomicIntegerArray(program.threads() * STRIDE);
        private final AtomicInteger closes = new AtomicInteger();
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        private final @Nullable LongConsumer latencies;
        private final long start = System.nanoTime();

        Run(@Nullable LongConsumer latencies) {
            this.latencies = latencies;
        }

        /// Runs each lane, in which each thread is a thread of its recorded kind.
        void lanes() {
            List<Thread> started = new ArrayList<>();
            for (List<ReplayProgram.ThreadSteps> lane : program.lanes()) {
                started.add(Thread.ofVirtual()
                        .start(() -> lane.forEach(thread -> join(
                                (thread.isVirtual() ? Thread.ofVirtual() : Thread.ofPlatform())
                                        .uncaughtExceptionHandler((_, t) -> failure.compareAndSet(null, t))
                                        .start(() -> steps(thread))))));
            }
            started.forEach(this::join);
            Throwable failed = failure.get();
            if (failed != null) {
                throw new IllegalStateException("A step of the replay failed: " + failed, failed);
            }
        }

        private void join(Thread thread) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                failure.compareAndSet(null, e);
                Thread.currentThread().interrupt();
            }
        }

        void steps(ReplayProgram.ThreadSteps thread) {
            int done = 0;
            for (Step step : thread.steps()) {
                for (long wait : step.waits()) {
                    int other = (int) (wait >>> Integer.SIZE) * STRIDE;
                    await(() -> progress.getAcquire(other) >= (int) wait);
                }
                if (step.event().kind() == Kind.OPEN) {
                    await(() -> closes.getAcquire() >= step.closes());
                }
                if (isPaced) {
                    await(() -> System.nanoTime() - start >= step.event().nanos());
                }
                long before = latencies == null ? 0 : System.nanoTime();
                run(step);
                if (latencies != null) {
                    latencies.accept(System.nanoTime() - before);
                }
                done++;
                progress.setRelease(thread.number() * STRIDE, done);
            }
        }

        @SuppressWarnings("ThreadPriorityCheck") // Another thread of the replay may need this processor.
        private void await(BooleanSupplier isReached) {
            for (int rounds = 0; !isReached.getAsBoolean(); rounds++) {
                if (failure.get() != null) {
                    throw new IllegalStateException("Another thread of the replay failed");
                }
                if (rounds < YIELDS) {
                    Thread.yield();
                } else {
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
        }

        private void run(Step step) {
            try {
                switch (step.event().kind()) {
                    case OPEN ->
                        arenas[step.arena()] = program.shared().get(step.arena()) ? shared.get() : confined.get();
                    case ALLOCATE -> allocate(step);
                    case ALLOCATE_BLOCK -> blocks[step.block()] = allocate(step);
                    case RESIZE_BLOCK -> resize(step);
                    case FREE_BLOCK -> free(step);
                    case CLOSE -> close(step);
                }
            } catch (RuntimeException | OutOfMemoryError _) {
                refused.increment();
            }
        }

        private MemorySegment allocate(Step step) {
            Arena arena = arenas[step.arena()];
            if (arena == null) {
                throw new IllegalStateException("The arena was refused");
            }
            MemorySegment memory = arena.allocate(step.event().byteSize(), step.event().byteAlignment());
            if (touches) {
                for (long offset = 0; offset < memory.byteSize(); offset += PAGE) {
                    memory.set(JAVA_BYTE, offset, (byte) 1);
                }
            }
            return memory;
        }

        private void resize(Step step) {
            MemorySegment block = blocks[step.block()];
            if (block == null) {
                throw new IllegalStateException("The block was refused");
            }
            if (arenas[step.arena()] instanceof BlockAllocator allocator) {
                blocks[step.block()] = allocator.reallocate(block, step.event().byteSize());
            } else {
                MemorySegment moved = allocate(step);
                MemorySegment.copy(block, 0, moved, 0, Math.min(block.byteSize(), moved.byteSize()));
                blocks[step.block()] = moved;
            }
        }

        private void free(Step step) {
            MemorySegment block = blocks[step.block()];
            blocks[step.block()] = null;
            if (block != null && arenas[step.arena()] instanceof BlockAllocator allocator) {
                allocator.free(block);
            }
        }

        private void close(Step step) {
            Arena arena = arenas[step.arena()];
            arenas[step.arena()] = null;
            try {
                if (arena != null) {
                    arena.close();
                }
            } finally {
                closes.getAndIncrement();
            }
        }
    }
}
