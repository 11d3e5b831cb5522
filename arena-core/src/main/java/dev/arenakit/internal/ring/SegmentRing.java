package dev.arenakit.internal.ring;

import dev.arenakit.collection.RingBuffer;
import dev.arenakit.collection.WaitStrategy;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

import static dev.arenakit.internal.ring.RingFormat.CLAIMED;
import static dev.arenakit.internal.ring.RingFormat.COMMITTED;
import static dev.arenakit.internal.ring.RingFormat.DESCRIPTION;
import static dev.arenakit.internal.ring.RingFormat.HEAD;
import static dev.arenakit.internal.ring.RingFormat.HEAD_COPY;
import static dev.arenakit.internal.ring.RingFormat.LONG;
import static dev.arenakit.internal.ring.RingFormat.RECORD;
import static dev.arenakit.internal.ring.RingFormat.SKIPPED;
import static dev.arenakit.internal.ring.RingFormat.SKIPS;
import static dev.arenakit.internal.ring.RingFormat.TAIL;
import static dev.arenakit.internal.ring.RingFormat.WAKES;

/// A ring buffer in a segment: see [RingFormat] for the order of its stores.
public final class SegmentRing implements RingBuffer {
    /// The sign, and the bits that are 0 in each position.
    private static final long NO_POSITION = Long.MIN_VALUE | (RECORD - 1);

    private final MemorySegment segment;
    private final MemorySegment readable;
    private final long records;
    private final long capacity;
    private final long mask;
    private final long key;
    private final long maxMessageByteSize;
    private final boolean hasManyProducers;
    private final RingUse use;
    private final long intent;
    /// The state of a claim of this producer.
    private final long claimed;
    private final ReaderState reader = new ReaderState();

    private SegmentRing(MemorySegment segment, RingHeader header, RingUse use) {
        this.segment = segment;
        this.use = use;
        intent = use.intent();
        claimed = CLAIMED | (long) use.producer() << Integer.SIZE;
        readable = segment.asReadOnly();
        records = header.records();
        capacity = header.capacity();
        mask = capacity - 1;
        key = header.key();
        maxMessageByteSize = RingFormat.maxMessageByteSize(capacity);
        hasManyProducers = header.kind() == RingFormat.MANY_PRODUCERS;
    }

    /// Creates or opens the ring of one producer.
    public static SegmentRing spsc(MemorySegment segment) {
        return open(segment, RingFormat.ONE_PRODUCER);
    }

    /// Creates or opens the ring of many producers.
    public static SegmentRing mpsc(MemorySegment segment) {
        return open(segment, RingFormat.MANY_PRODUCERS);
    }

    private static SegmentRing open(MemorySegment segment, int kind) {
        return new SegmentRing(segment, RingHeader.open(segment, kind, RingFormat.HEADER_BYTE_SIZE), RingUse.ANY);
    }

    /// Creates or opens a ring of many producers that has more than a header before its records.
    ///
    /// @param records the offset of the first record
    public static SegmentRing open(MemorySegment segment, long records, RingUse use) {
        return new SegmentRing(segment, RingHeader.open(segment, RingFormat.MANY_PRODUCERS, records), use);
    }

    @Override
    public boolean write(int type, MemorySegment source, long offset, long byteSize) {
        Objects.checkFromIndexSize(offset, byteSize, source.byteSize());
        long position = reserve(byteSize);
        if (position < 0) {
            return false;
        }
        long state = SKIPPED;
        try {
            MemorySegment.copy(source, offset, segment, at(position) + RECORD, byteSize);
            state = COMMITTED | (long) type << Integer.SIZE;
        } finally {
            // Skipped if the source is closed, or confined to another thread.
            stamp(position, state | byteSize);
            endIntent();
            wakeReader();
        }
        return true;
    }

    @Override
    public long claim(long byteSize) {
        long position = reserve(byteSize);
        if (position < 0) {
            return FULL;
        }
        stamp(position, claimed | byteSize);
        endIntent();
        return at(position) + RECORD;
    }

    /// Moves tail.
    ///
    /// @return the position of a record without a stamp, or FULL
    private long reserve(long byteSize) {
        use.check(RingUse.Kind.CLAIM);
        if (byteSize < 0 || byteSize > maxMessageByteSize) {
            throw tooLarge(byteSize);
        }
        long length = RingFormat.recordByteSize(byteSize);
        while (true) {
            // In this order, tail is not behind head, although other threads move both.
            long head = producerWord(HEAD_COPY);
            long tail = producerWord(TAIL);
            long index = tail & mask;
            long padding = index + length > capacity ? capacity - index : 0;
            if (((tail - head | tail) & NO_POSITION) != 0) {
                throw damaged(head, tail);
            }
            if (length + padding > capacity - (tail - head)) {
                if (!copyHead(head, tail)) {
                    endIntent();
                    return FULL;
                }
            } else if (moveTail(tail, tail + padding + length)) {
                if (padding == 0) {
                    return tail;
                }
                stamp(tail, SKIPPED | (padding - RECORD));
                return tail + padding;
            }
        }
    }

    /// Reads a word that producers change.
    private long producerWord(long at) {
        return hasManyProducers ? (long) LONG.getAcquire(segment, at) : (long) LONG.get(segment, at);
    }

    private boolean moveTail(long tail, long newTail) {
        if (hasManyProducers) {
            if (intent != 0) {
                LONG.setOpaque(segment, intent, tail);
            }
            return LONG.compareAndSet(segment, TAIL, tail, newTail);
        }
        // Visible before the stamp, which is written with release semantics.
        LONG.set(segment, TAIL, newTail);
        return true;
    }

    /// Says that this producer is about to claim nothing. What it has written comes before.
    private void endIntent() {
        if (intent != 0) {
            LONG.setRelease(segment, intent, RingUse.NONE);
        }
    }

    private void wakeReader() {
        if ((long) LONG.get(segment, WAKES) != 0) {
            RingSleep.wake(segment);
        }
    }

    /// Sleeps until a producer wakes this thread, which is the reader, for a time, or for no reason at all.
    public void sleep(long nanos) {
        use.check(RingUse.Kind.POLL);
        RingSleep.await(segment, this::isReadable, nanos);
    }

    /// Whether [#poll] would make progress.
    private boolean isReadable() {
        long head = readerPosition();
        return isStamped(head)
                && RingFormat.state((long) LONG.getAcquire(segment, at(head) + DESCRIPTION)) != CLAIMED;
    }

    /// Whether head has moved since it was copied.
    private boolean copyHead(long copied, long tail) {
        long head = (long) LONG.getAcquire(segment, HEAD);
        if (tail - head > capacity) {
            throw damaged(head, tail);
        }
        if (head == copied) {
            return false;
        }
        LONG.setRelease(segment, HEAD_COPY, head);
        return true;
    }

    @Override
    public void commit(long offset, int type) {
        long at = offset - RECORD;
        describe(at, COMMITTED | RingFormat.size(claimed(at)) | (long) type << Integer.SIZE);
        wakeReader();
    }

    @Override
    public void abort(long offset) {
        long at = offset - RECORD;
        describe(at, SKIPPED | RingFormat.size(claimed(at)));
        wakeReader();
    }

    /// Returns the description of a record that is claimed.
    private long claimed(long at) {
        long index = at - records;
        if ((index & ~(mask & -RECORD)) != 0) {
            throw new IllegalArgumentException("Offset is not the result of a claim: offset=" + (at + RECORD));
        }
        long position = (long) LONG.get(segment, at) ^ key;
        long description = (long) LONG.get(segment, at + DESCRIPTION);
        if ((position & mask) != index || RingFormat.state(description) != CLAIMED) {
            throw new IllegalStateException("No claim is open: offset=" + (at + RECORD)
                    + "; a claim ends with commit, abort or unblock");
        }
        return description;
    }

    @Override
    public int poll(MessageHandler handler, int limit) {
        Objects.requireNonNull(handler, "handler");
        if (limit < 0) {
            throw new IllegalArgumentException("Negative limit: limit=" + limit);
        }
        use.check(RingUse.Kind.POLL);
        int count = pollNext(handler, limit);
        while (count == 0 && limit > 0 && use.rescue() != null && rescue(use.rescue())) {
            count = pollNext(handler, limit);
        }
        return count;
    }

    private int pollNext(MessageHandler handler, int limit) {
        // In variables, because each acquiring access makes the compiler read fields again.
        MemorySegment memory = segment;
        MemorySegment message = readable;
        long head = readerPosition();
        long position = head;
        int count = 0;
        reader.begin(head);
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
                position += length;
                reader.moveTo(position);
                if (state == COMMITTED) {
                    count++;
                    handler.onMessage(RingFormat.type(description), message, at + RECORD, size);
                }
            }
        } finally {
            reader.end();
            if (position != head) {
                LONG.setRelease(segment, HEAD, position);
            }
        }
        return count;
    }

    @Override
    public int poll(MessageHandler handler, int limit, WaitStrategy strategy, long timeoutNanos) {
        Objects.requireNonNull(strategy, "strategy");
        int count = poll(handler, limit);
        if (count > 0 || limit == 0 || timeoutNanos <= 0) {
            return count;
        }
        long start = System.nanoTime();
        long remaining = timeoutNanos;
        while (count == 0 && remaining > 0 && !Thread.currentThread().isInterrupted()) {
            strategy.pause(this, remaining);
            count = poll(handler, limit);
            remaining = timeoutNanos - (System.nanoTime() - start);
        }
        return count;
    }

    /// Returns the position of the next record to read. If an Error has kept [#poll] from moving head, the position is
    /// behind head.
    private long readerPosition() {
        long head = (long) LONG.getAcquire(segment, HEAD);
        if ((head & NO_POSITION) != 0) {
            throw damaged(head, (long) LONG.getAcquire(segment, TAIL));
        }
        return Math.max(head, reader.position());
    }

    /// Skips the next claim if its producer is dead.
    ///
    /// @return whether it was skipped, or can be read meanwhile
    private boolean rescue(RingUse.Rescue rescue) {
        long head = readerPosition();
        long tail = checkedTail(head);
        if (head == tail) {
            return false;
        }
        if (isStamped(head)) {
            long description = (long) LONG.getAcquire(segment, at(head) + DESCRIPTION);
            if (RingFormat.state(description) != CLAIMED) {
                return true;
            }
            return rescue.isDead(head, RingFormat.type(description)) && skipClaim(head, description);
        }
        long end = rescue.endOfGap(head);
        if (isStamped(head)) {
            return true;
        }
        return end != head && skipGap(head, Math.min(tail, end));
    }

    @Override
    public boolean unblock() {
        use.check(RingUse.Kind.POLL);
        long head = readerPosition();
        long tail = checkedTail(head);
        if (head == tail) {
            return false;
        }
        if (isStamped(head)) {
            long description = (long) LONG.getAcquire(segment, at(head) + DESCRIPTION);
            return RingFormat.state(description) == CLAIMED && skipClaim(head, description);
        }
        return skipGap(head, tail);
    }

    private boolean isStamped(long position) {
        return (long) LONG.getAcquire(segment, at(position)) == (position ^ key);
    }

    private boolean skipClaim(long position, long description) {
        boolean isSkipped = LONG.compareAndSet(segment, at(position) + DESCRIPTION, description,
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
        long end = Math.min(Math.min(most, (position | mask) + 1), position + RingFormat.MAX_RECORD);
        long next = position + RECORD;
        while (next < end && !isStamped(next)) {
            next += RECORD;
        }
        stamp(position, SKIPPED | (next - position - RECORD));
        countSkip();
        return true;
    }

    private void countSkip() {
        LONG.setRelease(segment, SKIPS, skippedClaims() + 1);
    }

    /// The number of claims that readers have skipped.
    public long skippedClaims() {
        return (long) LONG.getAcquire(segment, SKIPS);
    }

    @Override
    public boolean isEmpty() {
        return unreadByteSize() == 0;
    }

    @Override
    public long unreadByteSize() {
        // In this order, tail is not behind head. The reader may have read more than a whole ring meanwhile.
        long head = (long) LONG.getAcquire(segment, HEAD);
        return Math.clamp((long) LONG.getAcquire(segment, TAIL) - head, 0, capacity);
    }

    @Override
    public MemorySegment segment() {
        return segment;
    }

    @Override
    public long capacity() {
        return capacity;
    }

    @Override
    public long maxMessageByteSize() {
        return maxMessageByteSize;
    }

    @Override
    public String toString() {
        return "RingBuffer: " + (hasManyProducers ? "mpsc" : "spsc") + ", capacity=" + capacity;
    }

    private long at(long position) {
        return records + (position & mask);
    }

    private void stamp(long position, long description) {
        RingFormat.stamp(segment, at(position), position ^ key, description);
    }

    private void describe(long at, long description) {
        LONG.setRelease(segment, at + DESCRIPTION, description);
    }

    /// Reads tail, in the thread of the reader, so that head does not move meanwhile.
    private long checkedTail(long head) {
        long tail = (long) LONG.getAcquire(segment, TAIL);
        if (((tail - head | tail) & NO_POSITION) != 0 || tail - head > capacity) {
            throw damaged(head, tail);
        }
        return tail;
    }

    private IllegalArgumentException tooLarge(long byteSize) {
        return new IllegalArgumentException(byteSize < 0
                ? "Negative size: byteSize=" + byteSize
                : "Message is too large: byteSize=" + byteSize + ", largest=" + maxMessageByteSize + ", capacity="
                        + capacity);
    }

    private static IllegalStateException damaged(long head, long tail) {
        return new IllegalStateException("Positions of a ring are damaged: head=" + head + ", tail=" + tail
                + "; zero its header to create it again");
    }

    private static IllegalStateException damagedRecord(long position, long description) {
        return new IllegalStateException("Record of a ring is damaged: position=" + position + ", state="
                + (RingFormat.state(description) >>> 30) + ", byteSize=" + RingFormat.size(description)
                + "; zero its header to create it again");
    }
}
