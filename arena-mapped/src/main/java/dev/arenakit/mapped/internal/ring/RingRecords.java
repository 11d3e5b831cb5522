package dev.arenakit.mapped.internal.ring;

import dev.arenakit.internal.ring.RingFormat;
import dev.arenakit.internal.ring.RingHeader;
import dev.arenakit.mapped.internal.ring.RingInspection.Claimant;
import dev.arenakit.mapped.internal.ring.RingInspection.DamagedException;
import dev.arenakit.mapped.internal.ring.RingRecord.State;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.OptionalLong;

/// The records of a ring in the order of their positions, up to the tail when this object was made.
///
/// A part of the file is read twice. If the first copy has the stamp of a record, the second copy has what its producer
/// has written before the stamp. Afterwards head is read. What is not behind head has not been overwritten yet, and so
/// committed messages are whole. Records that the reader reads meanwhile are left out.
public final class RingRecords {
    private static final int WINDOW = 1 << 16;

    private final RingInspection ring;
    private final RingHeader header;
    private final long byteLimit;
    private final MemorySegment stamps;
    private final MemorySegment contents;
    private final long tail;
    private long position;
    /// The position after which the reader has not read anything yet.
    private long head;
    /// The positions of the bytes that were read.
    private long start;
    private long end;
    /// The position of the last record that was read again.
    private long readAgain = -1;

    RingRecords(RingInspection ring, RingHeader header, RingPositions positions, long byteLimit, Arena arena) {
        this.ring = ring;
        this.header = header;
        this.byteLimit = Math.min(byteLimit, WINDOW - RingFormat.RECORD);
        stamps = arena.allocate(WINDOW, RingFormat.RECORD);
        contents = arena.allocate(WINDOW, RingFormat.RECORD);
        tail = positions.tail();
        position = positions.head();
        head = position;
    }

    /// Reads the next record. Its bytes are valid until the next call.
    ///
    /// @return empty after the last record
    /// @throws DamagedException if there is neither a record nor a claim whose record was not written yet
    /// @throws IOException      if the file cannot be read
    public Optional<RingRecord> next() throws IOException {
        // Each round moves position, or is the only one that reads a record again.
        while (position < tail) {
            load(position);
            if (head > position) {
                position = head;
                continue;
            }
            Optional<RingRecord> found = isStamped(position) ? record() : gap();
            if (found.isPresent()) {
                position = found.get().end();
                return found;
            }
        }
        return Optional.empty();
    }

    /// @return empty if it must be read again
    private Optional<RingRecord> record() throws IOException {
        long description = (long) RingFormat.LONG.get(contents, position - start + RingFormat.DESCRIPTION);
        long byteSize = RingFormat.size(description);
        long recordEnd = position + RingFormat.recordByteSize(byteSize);
        long state = RingFormat.state(description);
        // The reader may have skipped several gaps at once. Some of them may have been claimed after tail was read.
        if (state == 0 || recordEnd > endOfMemory(position)
                || (recordEnd > tail && recordEnd > ring.positions().tail())) {
            throw new DamagedException("Record of a ring is damaged: position=" + position + ", state=" + (state >>> 30)
                    + ", byteSize=" + byteSize + ", tail=" + tail);
        }
        if (state == RingFormat.CLAIMED) {
            return claim(RingFormat.type(description), byteSize);
        }
        if (state == RingFormat.SKIPPED) {
            return Optional.of(withoutBytes(State.SKIPPED, byteSize, OptionalLong.empty()));
        }
        if (byteSize > RingFormat.maxMessageByteSize(header.capacity())) {
            throw new DamagedException("Message of a ring is larger than a producer can send: position=" + position
                    + ", byteSize=" + byteSize + ", largest=" + RingFormat.maxMessageByteSize(header.capacity()));
        }
        return Optional.of(new RingRecord(position, State.COMMITTED, RingFormat.type(description), byteSize,
                OptionalLong.empty(),
                contents.asSlice(position - start + RingFormat.RECORD, Math.min(byteSize, byteLimit)).asReadOnly()));
    }

    private Optional<RingRecord> claim(int number, long byteSize) throws IOException {
        Claimant claimant = ring.claimant(number);
        if (claimant.isDead() && mustReadAgain()) {
            // The producer may have committed the message, and ended after that.
            return Optional.empty();
        }
        return Optional.of(withoutBytes(claimant.isDead() ? State.ABANDONED : State.CLAIMED, byteSize,
                claimant.process()));
    }

    /// @return empty if it must be read again, or if the reader has read it meanwhile
    private Optional<RingRecord> gap() throws IOException {
        long most = Math.min(Math.min(tail, endOfMemory(position)), position + RingFormat.MAX_RECORD);
        long next = position + RingFormat.RECORD;
        while (next < most) {
            load(next);
            if (head > position) {
                return Optional.empty();
            }
            if (isStamped(next)) {
                break;
            }
            next += RingFormat.RECORD;
        }
        OptionalLong process = ring.intendingProcess(position);
        if (process.isEmpty() && mustReadAgain()) {
            // The producer may have written the record meanwhile.
            return Optional.empty();
        }
        return Optional.of(withoutBytes(State.GAP, next - position - RingFormat.RECORD, process));
    }

    /// Whether the record at the current position was read once.
    private boolean mustReadAgain() {
        boolean isFirst = readAgain != position;
        readAgain = position;
        if (isFirst) {
            end = start;
        }
        return isFirst;
    }

    private RingRecord withoutBytes(State state, long byteSize, OptionalLong process) {
        return new RingRecord(position, state, 0, byteSize, process, MemorySegment.NULL);
    }

    private boolean isStamped(long at) {
        return (long) RingFormat.LONG.get(stamps, at - start) == (at ^ header.key());
    }

    /// A record does not extend beyond the end of the memory.
    private long endOfMemory(long at) {
        return (at | (header.capacity() - 1)) + 1;
    }

    /// Reads a header, and as many bytes behind it as a record has, unless they were read already.
    private void load(long from) throws IOException {
        long most = Math.min(endOfMemory(from), tail);
        if (from >= start && Math.min(from + RingFormat.RECORD + byteLimit, most) <= end) {
            return;
        }
        start = from;
        end = from + Math.min(WINDOW, most - from);
        ring.read(header.at(from), stamps.asSlice(0, end - start));
        ring.read(header.at(from), contents.asSlice(0, end - start));
        head = ring.positions().head();
    }
}
