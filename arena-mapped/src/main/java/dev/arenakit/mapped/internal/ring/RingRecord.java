package dev.arenakit.mapped.internal.ring;

import dev.arenakit.internal.ring.RingFormat;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;

/// A record of a ring that was not read yet.
///
/// @param type     the type of a committed message, otherwise 0
/// @param byteSize the size without the header of the record
/// @param process  the process that has claimed the record, if it is known
/// @param bytes    the first bytes of a committed message
public record RingRecord(long position, State state, int type, long byteSize, OptionalLong process,
        MemorySegment bytes) {
    /// The state of a record.
    public enum State {
        /// The message is complete.
        COMMITTED("committed"),
        /// A producer is writing the message.
        CLAIMED("claimed"),
        /// A producer has ended before it has written the message. The reader will skip it.
        ABANDONED("abandoned"),
        /// There is no message: its producer has aborted it, the reader has skipped it, or it is the rest before the
        /// end of the memory.
        SKIPPED("skipped"),
        /// A producer has moved the tail, and has not written the header of the record.
        GAP("gap");

        private final String text;

        State(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /// The position behind the record.
    public long end() {
        return position + RingFormat.recordByteSize(byteSize);
    }
}
