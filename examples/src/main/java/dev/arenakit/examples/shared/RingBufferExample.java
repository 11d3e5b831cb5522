package dev.arenakit.examples.shared;

import dev.arenakit.collection.concurrent.RingBuffer;
import dev.arenakit.collection.concurrent.WaitStrategy;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

import static dev.arenakit.examples.shared.SharedOrder.ORDERS;

/// Sends orders from two threads to a third one.
public final class RingBufferExample {
    private static final int PRODUCERS = 2;

    private RingBufferExample() {}

    /// Runs the example.
    ///
    /// @param args none
    public static void main(String[] args) {
        run(System.out, 1_000_000);
    }

    /// @param count the number of orders that each thread sends
    static void run(PrintStream out, long count) {
        try (Arena arena = Arena.ofShared()) {
            RingBuffer ring = RingBuffer.mpsc(arena.allocate(RingBuffer.byteSize(1 << 16), Long.BYTES));
            Received received = new Received(PRODUCERS);
            for (int producer = 0; producer < PRODUCERS; producer++) {
                int type = producer;
                Thread.startVirtualThread(() -> send(ring, type, count));
            }
            while (received.total() < PRODUCERS * count) {
                ring.poll((type, segment, offset, _) -> received.add(type, ORDERS.get(segment, offset)), 100,
                        WaitStrategy.park(50_000), 100_000_000);
            }
            out.printf(Locale.ROOT, "%,d orders of two threads have arrived.%n", received.total());
        }
    }

    private static void send(RingBuffer ring, int type, long count) {
        for (long id = 0; id < count;) {
            long at = ring.claim(ORDERS.layout().byteSize());
            if (at != RingBuffer.FULL) {
                ORDERS.set(ring.segment(), at, SharedOrder.of(id));
                ring.commit(at, type);
                id++;
            } else {
                LockSupport.parkNanos(50_000); // or drop the order, or report it
            }
        }
    }
}
