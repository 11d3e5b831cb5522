package dev.arenakit.internal.ring;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.ThreadLocalRandom;

import static dev.arenakit.internal.ring.RingFormat.LONG;

/// The fields of a header that do not change.
///
/// @param records the offset of the first record
public record RingHeader(int kind, long capacity, long records, long key) {
    /// Creates a ring in zeroed memory, or reads the header of a ring. An existing ring is not changed.
    ///
    /// Two threads may do so at once. The first one chooses each word, and if they request the same, both write the same
    /// header. In the same way, the next call completes the header of a process that was killed while it wrote the
    /// header.
    ///
    /// @param records  the offset of the first record
    /// @param capacity the capacity of a new ring; a ring that exists may have another one
    static RingHeader open(MemorySegment segment, int kind, long records, long capacity) {
        if (word(segment, RingFormat.MAGIC) == 0) {
            create(segment, kind, records, capacity);
        }
        RingHeader header = read(segment, segment.byteSize());
        if (header.kind != kind || header.records != records) {
            throw new IllegalStateException("Ring has another kind: kind=" + header.kindName() + ", opened as="
                    + name(kind) + ", records=" + header.records);
        }
        return header;
    }

    /// Checks memory that is about to contain a ring.
    ///
    /// @return the capacity of a ring in it
    static long checkMemory(MemorySegment segment, long records) {
        if (segment.isReadOnly()) {
            throw new IllegalArgumentException("Segment is read-only: a ring needs memory that can be written");
        }
        if (segment.maxByteAlignment() < Long.BYTES) {
            throw new IllegalArgumentException("Segment is not aligned: alignment=" + segment.maxByteAlignment()
                    + ", required=" + Long.BYTES + "; allocate it with this alignment, or use an array of longs");
        }
        long smallest = records + RingFormat.MIN_CAPACITY;
        if (segment.byteSize() < smallest) {
            throw new IllegalArgumentException("Segment is too small for a ring: byteSize=" + segment.byteSize()
                    + ", smallest=" + smallest);
        }
        return Math.min(Long.highestOneBit(segment.byteSize() - records), RingFormat.MAX_CAPACITY);
    }

    private static void create(MemorySegment segment, int kind, long records, long capacity) {
        long drawn = ThreadLocalRandom.current().nextLong() | 1;
        RingHeader created = new RingHeader(kind, capacity, records, drawn);
        if (!created.isZeroOrUnfinished(segment)) {
            if (word(segment, RingFormat.MAGIC) != 0) {
                return; // Another thread has completed it meanwhile.
            }
            throw new IllegalStateException("Memory is neither zeroed nor a ring: byteSize=" + segment.byteSize()
                    + "; zero the first " + RingFormat.HEADER_BYTE_SIZE + " bytes to create a ring");
        }
        long key = choose(segment, RingFormat.KEY, drawn);
        long versionAndKind = choose(segment, RingFormat.VERSION_AND_KIND, created.versionAndKind());
        long chosenCapacity = choose(segment, RingFormat.CAPACITY, capacity);
        LONG.set(segment, RingFormat.CHECKSUM, RingFormat.checksum(versionAndKind, chosenCapacity,
                choose(segment, RingFormat.RECORDS, records), key));
        LONG.setRelease(segment, RingFormat.MAGIC, RingFormat.MAGIC_VALUE);
    }

    /// Sets a word, unless another thread has set it.
    ///
    /// @return its value
    private static long choose(MemorySegment segment, long at, long value) {
        long found = (long) LONG.compareAndExchange(segment, at, 0L, value);
        return found == 0 ? value : found;
    }

    /// Whether each word of memory is 0, or has the value that this header writes, except for key and checksum.
    public boolean isZeroOrUnfinished(MemorySegment segment) {
        for (long at = 0; at < RingFormat.HEADER_BYTE_SIZE; at += Long.BYTES) {
            long word = word(segment, at);
            boolean isExpected = word == 0 || switch ((int) at) {
                case (int) RingFormat.VERSION_AND_KIND -> word == versionAndKind();
                case (int) RingFormat.CAPACITY -> word == capacity;
                case (int) RingFormat.RECORDS -> word == records;
                case (int) RingFormat.KEY -> (word & 1) == 1;
                case (int) RingFormat.CHECKSUM -> word(segment, RingFormat.KEY) != 0;
                default -> false;
            };
            if (!isExpected) {
                return false;
            }
        }
        return true;
    }

    /// Reads the header of a ring of any kind.
    ///
    /// @param segment  the header, or more memory of the ring
    /// @param byteSize the size of all memory of the ring
    /// @throws IllegalStateException if there is no ring, or a damaged one
    public static RingHeader read(MemorySegment segment, long byteSize) {
        long magic = word(segment, RingFormat.MAGIC);
        if (magic != RingFormat.MAGIC_VALUE) {
            throw new IllegalStateException("Memory is neither zeroed nor a ring: magic=0x" + Long.toHexString(magic)
                    + ", expected=0x" + Long.toHexString(RingFormat.MAGIC_VALUE));
        }
        long versionAndKind = word(segment, RingFormat.VERSION_AND_KIND);
        RingHeader header = new RingHeader((int) (versionAndKind >>> Integer.SIZE),
                word(segment, RingFormat.CAPACITY), word(segment, RingFormat.RECORDS), word(segment, RingFormat.KEY));
        if ((int) versionAndKind != RingFormat.VERSION) {
            throw new IllegalStateException("Ring has another version: version=" + (int) versionAndKind + ", supported="
                    + RingFormat.VERSION);
        }
        if (word(segment, RingFormat.CHECKSUM) != RingFormat.checksum(versionAndKind, header.capacity, header.records,
                header.key)) {
            throw new IllegalStateException("Header of a ring is damaged: capacity=" + header.capacity + ", records="
                    + header.records);
        }
        header.checkBounds(byteSize);
        return header;
    }

    private void checkBounds(long byteSize) {
        boolean isPossible = Long.bitCount(capacity) == 1 && capacity >= RingFormat.MIN_CAPACITY
                && capacity <= RingFormat.MAX_CAPACITY && records >= RingFormat.HEADER_BYTE_SIZE
                && records % RingFormat.RECORD == 0;
        if (!isPossible) {
            throw new IllegalStateException("Header of a ring is damaged: capacity=" + capacity + ", records="
                    + records);
        }
        if (capacity > byteSize || records > byteSize - capacity) {
            throw new IllegalStateException("Segment is smaller than its ring: byteSize=" + byteSize + ", capacity="
                    + capacity + ", records=" + records + "; pass all memory of the ring");
        }
    }

    /// The offset of the record of a position.
    public long at(long position) {
        return records + (position & (capacity - 1));
    }

    boolean isStamped(MemorySegment segment, long position) {
        return word(segment, at(position)) == (position ^ key);
    }

    /// Writes a record up to its stamp.
    void stamp(MemorySegment segment, long position, long description) {
        long at = at(position);
        LONG.set(segment, at + RingFormat.DESCRIPTION, description);
        LONG.setRelease(segment, at, position ^ key);
    }

    private long versionAndKind() {
        return RingFormat.VERSION | (long) kind << Integer.SIZE;
    }

    String kindName() {
        return name(kind);
    }

    private static String name(int kind) {
        return switch (kind) {
            case RingFormat.ONE_PRODUCER -> "spsc";
            case RingFormat.MANY_PRODUCERS -> "mpsc";
            case RingFormat.FILE -> "file";
            default -> Integer.toString(kind);
        };
    }

    private static long word(MemorySegment segment, long at) {
        return (long) LONG.getAcquire(segment, at);
    }
}
