package dev.arenakit.collection;

import dev.arenakit.collection.concurrent.RingBuffer;
import java.lang.foreign.MemorySegment;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// A ring whose messages are 16 bytes that repeat their type.
final class StressRing {
    static final int TORN = 99;

    final RingBuffer ring;

    private StressRing(RingBuffer ring) {
        this.ring = ring;
    }

    static StressRing spsc() {
        return new StressRing(RingBuffer.spsc(memory()));
    }

    static StressRing mpsc() {
        return new StressRing(RingBuffer.mpsc(memory()));
    }

    /// Returns zeroed memory for two messages.
    private static MemorySegment memory() {
        return MemorySegment.ofArray(new long[(int) RingBuffer.byteSize(64) / Long.BYTES]);
    }

    /// Sends a message.
    ///
    /// @return whether there was space
    boolean send(int type) {
        long at = ring.claim(16);
        if (at < 0) {
            return false;
        }
        ring.segment().set(JAVA_LONG, at, type);
        ring.segment().set(JAVA_LONG, at + 8, type);
        ring.commit(at, type);
        return true;
    }

    /// Receives one message.
    ///
    /// @return its type, or 0 without a message, or TORN
    int receive() {
        int[] received = {0};
        ring.poll((type, segment, offset, byteSize) -> {
            boolean isWhole = byteSize == 16 && segment.get(JAVA_LONG, offset) == type
                    && segment.get(JAVA_LONG, offset + 8) == type;
            received[0] = isWhole ? type : TORN;
        }, 1);
        return received[0];
    }
}
