package dev.arenakit.internal.ring;

import dev.arenakit.collection.concurrent.RingBuffer.MessageHandler;
import java.lang.foreign.MemorySegment;

import static dev.arenakit.internal.ring.RingFormat.CLAIMED;
import static dev.arenakit.internal.ring.RingFormat.COMMITTED;
import static dev.arenakit.internal.ring.RingFormat.DESCRIPTION;
import static dev.arenakit.internal.ring.RingFormat.HEAD;
import static dev.arenakit.internal.ring.RingFormat.LONG;
import static dev.arenakit.internal.ring.RingFormat.RECORD;
import static dev.arenakit.internal.ring.RingFormat.SKIPPED;
import static dev.arenakit.internal.ring.RingFormat.SKIPS;
import static dev.arenakit.internal.ring.RingFormat.TAIL;

/// The reader of a ring: see [RingFormat] for the order of its loads.
final class RingReader {
    /* The state is in the middle of an array, because producers in other threads read objects whose cache lines the
     * reader would change otherwise with each poll. It is changed by stores and not by calls, which fail near the end of
     * the stack. */
    private static final int POSITION = 16;
    private static final int IS_POLLING = 17;

    private final MemorySegment segment;
    private final MemorySegment readable;
    private final RingHeader header;
    private final long[] state = new long[34];

    RingReader(MemorySegment segment, RingHeader header) {
        this.segment = segment;
        this.header = header;
        readable = segment.asReadOnly();
    }

    /// Reads messages: see [dev.arenakit.collection.concurrent.RingBuffer#poll].
    int poll(MessageHandler handler, int limit) {
        // In variables, because each acquiring access makes the compiler read fields again.
        MemorySegment memory = segment;
        MemorySegment message = readable;
        long[] own = state;
        long capacity = header.capacity();
        long mask = capacity - 1;
        long records = header.records();
        long key = header.key();
        long published = head();
        long position = Math.max(published, own[POSITION]);
        int count = 0;
        if (own[IS_POLLING] != 0) {
            throw polling();
        }
        own[IS_POLLING] = 1;
        try {
            while (count < limit) {
                long index = position & mask;
                long at = records + index;
                if ((long) LONG.getAcquire(memory, at) != (position ^ key)) {
                    break;
                }
                long description = (long) LONG.getAcquire(memory, at + DESCRIPTION);
                long state = RingFormat.state(description);
                if (state == CLAIMED) {
                    break;
                }
                long size = RingFormat.size(description);
                long length = RingFormat.recordByteSize(size);
                if (state == 0 || length > capacity - index) {
                    throw damagedRecord(position, description);
                }
                if (state == COMMITTED) {
                    count++;
                    try {
                        handler.onMessage(RingFormat.type(description), message, at + RECORD, size);
                    } catch (Exception e) {
                        position += length;
                        throw e;
                    }
                }
                position += length;
            }
        } finally {
            // If moving head fails, the next poll does it.
            own[POSITION] = position;
            own[IS_POLLING] = 0;
            if (position != published) {
                LONG.setRelease(segment, HEAD, position);
            }
        }
        return count;
    }

    private static IllegalStateException polling() {
        return new IllegalStateException("A poll of this ring is running: a handler must not poll its own ring, and a "
                + "ring has one reader");
    }

    private long head() {
        long head = (long) LONG.getAcquire(segment, HEAD);
        if ((head & RingFormat.NO_POSITION) != 0) {
            throw RingFormat.damaged(head, (long) LONG.getAcquire(segment, TAIL));
        }
        return head;
    }

    /// The position of the next record to read. If an Error has kept [#poll] from moving head, it is behind head.
    private long position() {
        return Math.max(head(), state[POSITION]);
    }

    /// Reads tail. Head does not move meanwhile, because this is the thread of the reader.
    private long tail(long head) {
        long tail = (long) LONG.getAcquire(segment, TAIL);
        if (((tail - head | tail) & RingFormat.NO_POSITION) != 0 || tail - head > header.capacity()) {
            throw RingFormat.damaged(head, tail);
        }
        return tail;
    }

    /// Whether [#poll] would make progress.
    boolean isReadable() {
        long head = position();
        return header.isStamped(segment, head) && RingFormat.state(description(head)) != CLAIMED;
    }

    private long description(long position) {
        return (long) LONG.getAcquire(segment, header.at(position) + DESCRIPTION);
    }

    /// Skips the next claim if its producer is dead.
    ///
    /// @return whether it was skipped, or can be read meanwhile
    boolean rescue(RingRole.Rescue rescue) {
        long head = position();
        if (!rescue.isOverdue(head)) {
            return false;
        }
        long tail = tail(head);
        if (head == tail) {
            return false;
        }
        if (header.isStamped(segment, head)) {
            long description = description(head);
            if (RingFormat.state(description) != CLAIMED) {
                return true;
            }
            return rescue.isDead(RingFormat.type(description)) && skipClaim(head, description);
        }
        long end = rescue.endOfGap(head);
        // Its producer may have written its stamp, and may have gone on, while it was searched for.
        if (header.isStamped(segment, head)) {
            return true;
        }
        return end != head && skipGap(head, Math.min(tail, end));
    }

    /// Skips the next claim if it is open.
    ///
    /// @return whether it was open
    boolean unblock() {
        long head = position();
        long tail = tail(head);
        if (head == tail) {
            return false;
        }
        if (header.isStamped(segment, head)) {
            long description = description(head);
            return RingFormat.state(description) == CLAIMED && skipClaim(head, description);
        }
        return skipGap(head, tail);
    }

    private boolean skipClaim(long position, long description) {
        boolean isSkipped = LONG.compareAndSet(segment, header.at(position) + DESCRIPTION, description,
                SKIPPED | RingFormat.size(description));
        if (isSkipped) {
            countSkip();
        }
        return isSkipped;
    }

    /// Skips a claim whose size was not written. It extends to the next stamp.
    ///
    /// @param most the largest possible end
    private boolean skipGap(long position, long most) {
        // A record does not extend beyond the end of the memory.
        long end = Math.min(Math.min(most, (position | (header.capacity() - 1)) + 1),
                position + RingFormat.MAX_RECORD);
        long next = position + RECORD;
        while (next < end && !header.isStamped(segment, next)) {
            next += RECORD;
        }
        header.stamp(segment, position, SKIPPED | (next - position - RECORD));
        countSkip();
        return true;
    }

    private void countSkip() {
        LONG.setRelease(segment, SKIPS, (long) LONG.getAcquire(segment, SKIPS) + 1);
    }

    private static IllegalStateException damagedRecord(long position, long description) {
        return new IllegalStateException("Record of a ring is damaged: position=" + position + ", state="
                + (RingFormat.state(description) >>> 30) + ", byteSize=" + RingFormat.size(description)
                + "; zero its header to create it again");
    }
}
