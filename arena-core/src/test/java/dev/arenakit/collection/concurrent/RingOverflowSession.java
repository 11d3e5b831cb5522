package dev.arenakit.collection.concurrent;

import dev.arenakit.StackDepth;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Sends and reads messages while the stack overflows, at each depth at which it may. Afterwards, each message that was
/// sent is read whole, and the ring takes messages as before.
final class RingOverflowSession {
    private static final int BYTE_SIZE = 40;
    private static final long CAPACITY = 1 << 10;
    private static final int LEAST_OVERFLOWS = 5;
    /// After a round without overflows, the compiler has changed the frames.
    private static final int ROUNDS = 20;

    private final RingBuffer ring;
    private final MemorySegment message;
    private final Random random = new Random(1);
    /// Whether messages were sent and not read, by their numbers. Stores to an array cannot be interrupted.
    private final boolean[] isUnread = new boolean[1 << 22];
    private int next = 1;
    private int handled;
    private int checked;

    private RingOverflowSession(RingBuffer ring, MemorySegment message) {
        this.ring = ring;
        this.message = message;
    }

    /// Runs everything.
    ///
    /// @param args how often code is run before the first overflow
    public static void main(String[] args) {
        for (int i = 0; i < 50; i++) {
            // Frames have another size in compiled code.
            int _ = StackDepth.deepest();
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment message = arena.allocate(BYTE_SIZE, Long.BYTES);
            for (boolean hasManyProducers : new boolean[]{false, true}) {
                MemorySegment memory = arena.allocate(RingBuffer.byteSize(CAPACITY), Long.BYTES);
                RingBuffer ring = hasManyProducers ? RingBuffer.mpsc(memory) : RingBuffer.spsc(memory);
                new RingOverflowSession(ring, message).run(Integer.parseInt(args[0]));
            }
        }
        System.out.println("no wrong answer");
    }

    private void run(int before) {
        for (int i = 0; i < before; i++) {
            step(i % 4);
            readAll();
        }
        for (int operation = 0; operation < 4; operation++) {
            int seen = 0;
            for (int round = 0; round < ROUNDS && seen < LEAST_OVERFLOWS; round++) {
                seen += overflowAtAllDepths(operation);
            }
            if (seen < LEAST_OVERFLOWS) {
                throw new AssertionError("Not the right depths: operation=" + operation + ", overflows=" + seen);
            }
        }
    }

    /// @return the number of overflows
    private int overflowAtAllDepths(int operation) {
        int seen = 0;
        int calm = 0;
        for (int depth = StackDepth.deepest(); calm < 10 && depth >= 0; depth--) {
            for (int i = random.nextInt(5); i >= 0; i--) {
                step(i % 2);
            }
            boolean isOverflowing = StackDepth.overflows(depth, () -> step(operation));
            readAll();
            seen += isOverflowing ? 1 : 0;
            calm = isOverflowing ? 0 : calm + 1;
        }
        return seen;
    }

    private void step(int operation) {
        switch (operation) {
            case 0 -> {
                int number = fill(message, 0);
                if (!ring.write(1, message, 0, BYTE_SIZE)) {
                    throw new AssertionError("full");
                }
                isUnread[number] = true;
            }
            case 1 -> {
                long at = ring.claim(BYTE_SIZE);
                int number = fill(ring.segment(), at);
                ring.commit(at, 1);
                isUnread[number] = true;
            }
            default -> {
                int _ = ring.poll(this::handle, operation);
            }
        }
    }

    private int fill(MemorySegment segment, long at) {
        int number = next++;
        for (long i = 0; i < BYTE_SIZE; i += Long.BYTES) {
            segment.set(JAVA_LONG, at + i, (long) number);
        }
        return number;
    }

    private void handle(int type, MemorySegment segment, long offset, long byteSize) {
        int number = (int) segment.get(JAVA_LONG, offset);
        if (type != 1 || byteSize != BYTE_SIZE || segment.get(JAVA_LONG, offset + BYTE_SIZE - Long.BYTES) != number) {
            throw new AssertionError("torn: number=" + number);
        }
        // A message whose call was interrupted comes again.
        if (number < handled) {
            throw new AssertionError("number=" + number + ", handled=" + handled);
        }
        isUnread[number] = false;
        handled = number;
    }

    private void readAll() {
        while (ring.poll(this::handle, Integer.MAX_VALUE) > 0 || ring.unblock()) {
            // The claim of an interrupted call is skipped.
        }
        if (!ring.isEmpty()) {
            throw new AssertionError("unread=" + ring.unreadByteSize());
        }
        for (; checked < next; checked++) {
            if (isUnread[checked]) {
                throw new AssertionError("lost: number=" + checked);
            }
        }
    }
}
