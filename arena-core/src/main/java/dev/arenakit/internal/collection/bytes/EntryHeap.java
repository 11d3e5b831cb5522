package dev.arenakit.internal.collection.bytes;

import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.collection.Growth;
import dev.arenakit.internal.collection.TableMemory;
import dev.arenakit.internal.collection.TableMemory.Table;
import java.lang.foreign.MemorySegment;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

/// The entries of a map whose keys are bytes, in the order in which they were added.
///
/// ```text
/// entry:  0           4            valueOffset   keyOffset        + byteSize of the key
///         | byteSize  | (padding)  | value       | bytes of key   | tail | (padding)
/// ```
///
/// The size of the key is an `int`, whose sign bit marks a removed entry. The value has a fixed size. If [#hasTail] is
/// set, an entry has a tail, and the second `int` of the value is the size of the tail. Entries have no padding if
/// [#byteAlignment] is 1.
///
/// Memory after [#end] has no meaning. A new entry is written at [#end] before it becomes part of the heap.
public final class EntryHeap {
    /// The largest size of a key or a tail. It leaves space for the other parts of an entry.
    static final int LARGEST = Integer.MAX_VALUE - 64;

    static final int REMOVED = Integer.MIN_VALUE;
    private static final long LEAST = 512;

    final long valueOffset;
    final long keyOffset;
    final long byteAlignment;
    private final boolean hasTail;

    private final TableMemory memory;
    private Table table;
    /// The segment of the table.
    public MemorySegment segment;
    /// The number of times that the entries have moved to another segment.
    public int moves;
    /// The offset of the first live entry, or [#end].
    long first;
    /// The end of the last entry.
    long end;
    /// The size of the removed entries.
    long removedByteSize;

    /// @param expectedByteSize the size of the entries that fit at first
    EntryHeap(TableMemory memory, Format format, long expectedByteSize) {
        this.memory = memory;
        this.valueOffset = format.valueOffset;
        this.keyOffset = format.keyOffset;
        this.byteAlignment = format.byteAlignment;
        this.hasTail = format.hasTail;
        this.table = allocate(expectedByteSize);
        table.isUnused = false;
        this.segment = table.segment;
    }

    /// The offsets of the parts of an entry.
    public record Format(long valueOffset, long keyOffset, long byteAlignment, boolean hasTail) {
        /// A value of 8 bytes without alignment.
        public static final Format LONG_VALUE = new Format(4, 12, 1, false);
        /// A value of any size: its size, its capacity, and a tail with its bytes.
        public static final Format BYTES_VALUE = new Format(4, 12, 1, true);
    }

    /// Returns the size of an entry.
    long byteSize(long keyByteSize, long tailByteSize) {
        return Sizes.alignUp(keyOffset + keyByteSize + tailByteSize, byteAlignment);
    }

    /// Returns the size of the entry at an offset.
    long byteSizeAt(MemorySegment entries, long entry) {
        return byteSize(keyByteSize(entries, entry),
                hasTail ? entries.get(JAVA_INT_UNALIGNED, entry + valueOffset + 4) & Integer.MAX_VALUE : 0);
    }

    public static int keyByteSize(MemorySegment entries, long entry) {
        return entries.get(JAVA_INT_UNALIGNED, entry) & Integer.MAX_VALUE;
    }

    /// Returns the offset of the first live entry at or after an offset, or [#end].
    long firstFrom(long offset) {
        MemorySegment entries = segment;
        long entry = offset;
        while (entry < end && entries.get(JAVA_INT_UNALIGNED, entry) < 0) {
            entry += byteSizeAt(entries, entry);
        }
        return Math.min(entry, end);
    }

    /// Returns the offset of the first live entry after an entry, or [#end].
    long next(long entry) {
        return firstFrom(entry + byteSizeAt(segment, entry));
    }

    /// Removes an entry.
    void remove(long entry) {
        segment.set(JAVA_INT_UNALIGNED, entry, segment.get(JAVA_INT_UNALIGNED, entry) | REMOVED);
        removedByteSize += byteSizeAt(segment, entry);
        if (entry == first) {
            // Each removed entry is passed once.
            first = firstFrom(entry);
        }
    }

    boolean hasRoom(long byteSize) {
        return byteSize <= segment.byteSize() - end;
    }

    /// Whether removed entries take more than half of the memory, so that compaction is better than growth.
    boolean isWorthCompacting() {
        return removedByteSize > end / 2;
    }

    /// Moves to a larger table. If this method throws, nothing has changed, or the entries are [lost][#isLost()].
    void grow(long byteSize) {
        long larger = Growth.larger(segment.byteSize(), Math.addExact(end, byteSize));
        Sizes.checkAddressable(larger, byteAlignment);
        table = memory.resize(table, end, larger, byteAlignment);
        segment = table.segment;
        moves++;
    }

    boolean isLost() {
        return table.isLost();
    }

    /// Returns the size of the live entries.
    long liveByteSize() {
        return end - removedByteSize;
    }

    /// Returns whether a table of the live entries alone would be smaller.
    boolean canShrink() {
        return Math.max(LEAST, liveByteSize()) < segment.byteSize();
    }

    /// Copies the live entries to a new table of at least a size.
    Table copyCompacted(long byteSize) {
        Table compact = allocate(byteSize);
        long at = 0;
        for (long entry = first; entry < end; entry = next(entry)) {
            long copied = byteSizeAt(segment, entry);
            MemorySegment.copy(segment, entry, compact.segment, at, copied);
            at += copied;
        }
        return compact;
    }

    /// Replaces the table by a compacted table.
    void exchange(Table compact) {
        table.isUnused = true;
        compact.isUnused = false;
        table = compact;
        segment = compact.segment;
        moves++;
        first = 0;
        end = liveByteSize();
        removedByteSize = 0;
    }

    void clear() {
        first = 0;
        end = 0;
        removedByteSize = 0;
    }

    void close() {
        segment = TableMemory.CLOSED;
        clear();
    }

    /// Checks the size of a key or of a value.
    public static void checkByteSize(String name, long byteSize) {
        if (byteSize > LARGEST) {
            throw new IllegalArgumentException("Too large for an entry: " + name + "=" + byteSize + ", largest="
                    + LARGEST);
        }
    }

    private Table allocate(long byteSize) {
        long rounded = Math.max(LEAST, byteSize);
        Sizes.checkAddressable(rounded, byteAlignment);
        return memory.allocate(rounded, byteAlignment);
    }
}
