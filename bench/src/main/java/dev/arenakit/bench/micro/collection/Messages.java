package dev.arenakit.bench.micro.collection;

import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.collection.concurrent.RingBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.infra.Control;
import org.openjdk.jmh.infra.ThreadParams;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Measures messages from one thread to another through a ring buffer of 64 KiB. The second thread reads the first and
/// the last long of each message. Both threads spin while they wait.
///
/// The figure is for one message. It needs two processors that do nothing else.
@BenchmarkName(value = "messages", baseline = "Agrona",
        measures = "Sends messages from one thread to another through a ring buffer; the figure is for one message.")
@OperationsPerInvocation(Messages.MESSAGES)
@Threads(2)
public class Messages extends MicroBenchmark {
    /// The number of messages of an invocation.
    public static final int MESSAGES = 1_000;

    private static final int CAPACITY = 1 << 16;
    private static final int TYPE = 7;
    private static final int BATCH = 100;
    private static final int SUM = 16;
    private static final long END_NANOS = 1_000_000;

    /// A queue.
    @State(Scope.Benchmark)
    public abstract static class Queue {
        /// The size of a message.
        @Param({"32", "256"})
        public int byteSize;

        /// How many producers the queue permits. One sends messages.
        @Param({"one", "many"})
        public String producers = "";

        /// Whether messages are copied into the queue, or written in place.
        @Param({"copied", "in place"})
        public String written = "";

        /// What the reader has read, in the middle of the array: the producer reads the fields of this object.
        final long[] sum = new long[2 * SUM];

        boolean isCopied;

        /// Creates the queue.
        @Setup
        public void setUp() {
            isCopied = written.equals("copied");
            open(producers.equals("many"));
        }

        abstract void open(boolean hasManyProducers);

        /// Sends a message, if there is space.
        abstract boolean send(long number);

        /// Receives messages that are there.
        abstract int receive(int limit);
    }

    /// The ring of this library.
    @Benchmark
    @CandidateName("RingBuffer")
    public long ring(OfSegment queue, Control control, ThreadParams thread) {
        return run(queue, control, thread);
    }

    /// `OneToOneRingBuffer` and `ManyToOneRingBuffer`.
    @Benchmark
    @Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JvmArgs.OPEN_UNSAFE})
    @CandidateName("Agrona")
    public long agrona(OfAgrona queue, Control control, ThreadParams thread) {
        return run(queue, control, thread);
    }

    /// Agrona's ring buffers without checks of bounds.
    @Benchmark
    @Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JvmArgs.OPEN_UNSAFE, JvmArgs.AGRONA_UNCHECKED})
    @CandidateName("Agrona without checks")
    public long agronaUnchecked(OfAgrona queue, Control control, ThreadParams thread) {
        return run(queue, control, thread);
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    private static long run(Queue queue, Control control, ThreadParams thread) {
        if (thread.getThreadIndex() == 0) {
            for (int i = 0; i < MESSAGES; i++) {
                while (!queue.send(i)) {
                    if (control.stopMeasurement) {
                        return end(queue);
                    }
                    Thread.onSpinWait();
                }
            }
            return MESSAGES;
        }
        for (int received = 0; received < MESSAGES;) {
            int count = queue.receive(Math.min(BATCH, MESSAGES - received));
            received += count;
            if (count == 0) {
                if (control.stopMeasurement) {
                    return end(queue);
                }
                Thread.onSpinWait();
            }
        }
        return queue.sum[SUM];
    }

    /// Ends an invocation without all of its messages, because the other thread has stopped. JMH repeats invocations
    /// until both threads have stopped, and counts them when it computes the CPU time of a message: they must be few.
    private static long end(Queue queue) {
        LockSupport.parkNanos(END_NANOS);
        return queue.sum[SUM];
    }

    /// A ring of this library.
    @State(Scope.Benchmark)
    public static class OfSegment extends Queue {
        private final Arena arena = Arena.ofShared();
        private final RingBuffer.MessageHandler handler = this::handle;
        private MemorySegment message = MemorySegment.NULL;
        private RingBuffer ring = RingBuffer.spsc(MemorySegment.ofArray(new long[1 << 10]));

        /// Created by JMH.
        public OfSegment() {}

        @Override
        void open(boolean hasManyProducers) {
            message = arena.allocate(byteSize, Long.BYTES);
            MemorySegment memory = arena.allocate(RingBuffer.byteSize(CAPACITY), 128);
            ring = hasManyProducers ? RingBuffer.mpsc(memory) : RingBuffer.spsc(memory);
        }

        @Override
        boolean send(long number) {
            if (isCopied) {
                message.set(JAVA_LONG, 0, number);
                return ring.write(TYPE, message, 0, byteSize);
            }
            long at = ring.claim(byteSize);
            if (at < 0) {
                return false;
            }
            MemorySegment segment = ring.segment();
            for (long i = 0; i < byteSize; i += Long.BYTES) {
                segment.set(JAVA_LONG, at + i, number);
            }
            ring.commit(at, TYPE);
            return true;
        }

        @Override
        int receive(int limit) {
            return ring.poll(handler, limit);
        }

        private void handle(int type, MemorySegment segment, long offset, long size) {
            sum[SUM] += segment.get(JAVA_LONG, offset) + segment.get(JAVA_LONG, offset + size - Long.BYTES);
        }

        /// Frees the memory.
        @TearDown
        public void close() {
            arena.close();
        }
    }

    /// A ring of Agrona.
    @State(Scope.Benchmark)
    public static class OfAgrona extends Queue {
        private final UnsafeBuffer memory = new UnsafeBuffer(
                ByteBuffer.allocateDirect(CAPACITY + RingBufferDescriptor.TRAILER_LENGTH + 128)
                        .alignedSlice(128)
                        .order(ByteOrder.nativeOrder())
                        .slice(0, CAPACITY + RingBufferDescriptor.TRAILER_LENGTH));
        private final UnsafeBuffer message = new UnsafeBuffer(ByteBuffer.allocateDirect(256));
        private final MessageHandler handler = (_, buffer, offset, length) -> sum[SUM] += buffer.getLong(offset)
                + buffer.getLong(offset + length - Long.BYTES);
        private org.agrona.concurrent.ringbuffer.RingBuffer ring = new OneToOneRingBuffer(memory);

        /// Created by JMH.
        public OfAgrona() {}

        @Override
        void open(boolean hasManyProducers) {
            if (hasManyProducers) {
                ring = new ManyToOneRingBuffer(memory);
            }
        }

        @Override
        boolean send(long number) {
            if (isCopied) {
                message.putLong(0, number);
                return ring.write(TYPE, message, 0, byteSize);
            }
            int at = ring.tryClaim(TYPE, byteSize);
            if (at < 0) {
                return false;
            }
            for (int i = 0; i < byteSize; i += Long.BYTES) {
                ring.buffer().putLong(at + i, number);
            }
            ring.commit(at);
            return true;
        }

        @Override
        int receive(int limit) {
            return ring.read(handler, limit);
        }
    }
}
