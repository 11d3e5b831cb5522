package dev.arenakit.internal.ring;

import dev.arenakit.collection.concurrent.RingBuffer;
import dev.arenakit.collection.concurrent.WaitStrategy;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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
    /// A check of the place takes microseconds. A producer that finds the ring full may try again at once.
    private static final int REFUSALS = 1 << 10;

    private final MemorySegment segment;
    private final RingHeader header;
    private final long records;
    private final long capacity;
    private final long mask;
    private final long key;
    private final long maxMessageByteSize;
    private final boolean hasManyProducers;
    private final RingRole use;
    private final @Nullable Runnable place;
    private final long intent;
    /// The state of a claim of this producer.
    private final long claimed;
    private final RingReader reader;
    /// The position of the start of the records at which the place of the ring was checked last.
    private long checkedLap = -1;
    private int refusals;

    private SegmentRing(MemorySegment segment, RingHeader header, RingRole use) {
        this.segment = segment;
        this.use = use;
        place = use.place();
        intent = use.intent();
        claimed = CLAIMED | (long) use.producer() << Integer.SIZE;
        this.header = header;
        reader = new RingReader(segment, header);
        records = header.records();
        capacity = header.capacity();
        mask = capacity - 1;
        key = header.key();
        maxMessageByteSize = RingFormat.maxMessageByteSize(capacity);
        hasManyProducers = header.kind() != RingFormat.ONE_PRODUCER;
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
        long records = RingFormat.HEADER_BYTE_SIZE;
        long capacity = RingHeader.checkMemory(segment, records);
        return new SegmentRing(segment, RingHeader.open(segment, kind, records, capacity), RingRole.ANY);
    }

    /// Creates or opens the ring of a file.
    ///
    /// @param records  the offset of the first record
    /// @param capacity the capacity of a new ring
    public static SegmentRing ofFile(MemorySegment segment, long records, long capacity, RingRole use) {
        return new SegmentRing(segment, RingHeader.open(segment, RingFormat.FILE, records, capacity), use);
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
        use.check(RingRole.Kind.CLAIM);
        if (byteSize < 0 || byteSize > maxMessageByteSize) {
            throw tooLarge(byteSize);
        }
        long length = RingFormat.recordByteSize(byteSize);
        while (true) {
            // In this order, tail is not behind head, although other threads move both.
            long head = producerWord(HEAD_COPY);
            long tail = producerWord(TAIL);
            if (place != null && (tail & -capacity) != checkedLap) {
                checkPlace(place);
                checkedLap = tail & -capacity;
            }
            long index = tail & mask;
            long padding = index + length > capacity ? capacity - index : 0;
            if (((tail - head | tail) & RingFormat.NO_POSITION) != 0) {
                throw RingFormat.damaged(head, tail);
            }
            if (tail - head + length + padding > capacity) {
                if (!copyHead(head, tail)) {
                    endIntent();
                    if (place != null && refusals++ % REFUSALS == 0) {
                        checkPlace(place);
                    }
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

    private void checkPlace(Runnable place) {
        endIntent();
        place.run();
    }

    /// Reads a word that producers change.
    private long producerWord(long at) {
        return hasManyProducers ? (long) LONG.getAcquire(segment, at) : (long) LONG.get(segment, at);
    }

    private boolean moveTail(long tail, long newTail) {
        if (hasManyProducers) {
            if (intent != 0) {
                // A reader that sees this intent sees the stamps of earlier claims, too.
                LONG.setRelease(segment, intent, tail);
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
            LONG.setRelease(segment, intent, RingRole.NONE);
        }
    }

    private void wakeReader() {
        if ((long) LONG.getOpaque(segment, WAKES) != 0) {
            RingSleep.wake(segment);
        }
    }

    /// Sleeps until a producer wakes this thread, which is the reader, for a time, or for no reason at all.
    public void sleep(long nanos) {
        use.check(RingRole.Kind.POLL);
        RingSleep.await(segment, reader::isReadable, nanos);
    }

    /// Whether head has moved since it was copied.
    private boolean copyHead(long copied, long tail) {
        long head = (long) LONG.getAcquire(segment, HEAD);
        if (tail - head > capacity) {
            throw RingFormat.damaged(head, tail);
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
        if ((position & mask) != index || description - RingFormat.size(description) != claimed) {
            throw new IllegalStateException("No claim of this producer is open: offset=" + (at + RECORD)
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
        use.check(RingRole.Kind.POLL);
        int count = reader.poll(handler, limit);
        while (count == 0 && limit > 0 && use.rescue() != null && reader.rescue(use.rescue())) {
            count = reader.poll(handler, limit);
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
        while (remaining > 0 && !Thread.currentThread().isInterrupted()) {
            strategy.pause(this, remaining);
            count = poll(handler, limit);
            if (count > 0) {
                return count;
            }
            remaining = timeoutNanos - (System.nanoTime() - start);
        }
        return 0;
    }

    @Override
    public boolean unblock() {
        use.check(RingRole.Kind.POLL);
        return reader.unblock();
    }

    /// The number of records that readers have skipped.
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
        return "RingBuffer: " + header.kindName() + ", capacity=" + capacity;
    }

    private long at(long position) {
        return records + (position & mask);
    }

    private void stamp(long position, long description) {
        header.stamp(segment, position, description);
    }

    private void describe(long at, long description) {
        LONG.setRelease(segment, at + DESCRIPTION, description);
    }

    private IllegalArgumentException tooLarge(long byteSize) {
        return new IllegalArgumentException(byteSize < 0
                ? "Negative size: byteSize=" + byteSize
                : "Message is too large: byteSize=" + byteSize + ", largest=" + maxMessageByteSize + ", capacity="
                        + capacity);
    }
}
