package dev.arenakit.examples.traces;

import dev.arenakit.SlabPool;
import dev.arenakit.mapped.trace.AllocationTrace;
import dev.arenakit.mapped.trace.TraceRecorder;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// The handlers of a server: each request has a virtual thread and an arena, reads a body of some kilobytes in pieces,
/// and writes an answer. Some requests have a body of a megabyte. The pool is recorded.
public final class HandlersTrace {
    private static final int AT_A_TIME = 64;
    private static final int PIECE = 1_400;
    private static final int LARGE = 1 << 20;
    private static final int LARGE_ONES = 200;

    private final SlabPool pool;
    private final LongAdder answered = new LongAdder();

    private HandlersTrace(SlabPool pool) {
        this.pool = pool;
    }

    /// Runs the program.
    ///
    /// @param args the path of the trace, and the number of requests, 10,000 by default
    /// @throws InterruptedException if the thread is interrupted
    public static void main(String[] args) throws InterruptedException {
        run(System.out, Path.of(args[0]), args.length == 1 ? 10_000 : Integer.parseInt(args[1]));
    }

    static void run(PrintStream out, Path trace, int requests) throws InterruptedException {
        try (TraceRecorder recorder = AllocationTrace.record(trace);
                SlabPool pool = SlabPool.builder().recorder(recorder).build()) {
            HandlersTrace handlers = new HandlersTrace(pool);
            Semaphore free = new Semaphore(AT_A_TIME);
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < requests; i++) {
                    long request = i;
                    free.acquire();
                    threads.execute(() -> {
                        try {
                            handlers.handle(request);
                        } finally {
                            free.release();
                        }
                    });
                }
            }
            out.printf("%d requests, %d bytes%n", requests, handlers.answered.sum());
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // A server would wait for its client here.
    private void handle(long request) {
        SplittableRandom random = new SplittableRandom(request);
        try (Arena arena = pool.openConfined()) {
            MemorySegment header = arena.allocate(512, 8);
            int left = random.nextInt(LARGE_ONES) == 0 ? LARGE : random.nextInt(16 << 10);
            MemorySegment body = arena.allocate(left, 64);
            while (left > 0) {
                int size = Math.min(left, random.nextInt(1, PIECE));
                arena.allocate(size, 1).fill((byte) size);
                left -= size;
                // Reading the next piece lets other requests run.
                Thread.yield();
            }
            MemorySegment answer = arena.allocate(random.nextInt(64, 4_096), 8);
            header.set(JAVA_BYTE, 0, (byte) 1);
            answered.add(answer.byteSize() + (body.byteSize() > 0 ? header.get(JAVA_BYTE, 0) : 0));
        }
    }
}
