package dev.arenakit.mapped.internal.table;

import dev.arenakit.internal.Sizes;
import dev.arenakit.layout.type.MemoryType;

/// The offsets within an entry of an [dev.arenakit.mapped.ImageMap], which follow from the types of its records.
/// [EntryGroups] describes entries.
///
/// @param keyByteSize   the size of the key
/// @param valueByteSize the size of the value
/// @param keyOffset     the offset of the key
/// @param valueOffset   the offset of the value
/// @param byteSize      the size of the entry
/// @param byteAlignment the alignment of the entry
public record EntryLayout(long keyByteSize, long valueByteSize, long keyOffset, long valueOffset, long byteSize,
        long byteAlignment) {
    /// The start of an extent supports no larger alignment.
    private static final long LARGEST_ALIGNMENT = 4096;
    private static final long WORD = Long.BYTES;

    /// Returns the layout of entries.
    ///
    /// @throws IllegalArgumentException if the entries would be too large, or their alignment
    public static EntryLayout of(MemoryType key, MemoryType value) {
        long byteAlignment = Math.max(WORD, Math.max(key.byteAlignment(), value.byteAlignment()));
        Sizes.checkAlignmentAtMost(LARGEST_ALIGNMENT, byteAlignment, "entries are at multiples of their alignment");
        long keyOffset = Sizes.alignUp(WORD, key.byteAlignment());
        long valueOffset = Sizes.alignUpExact(keyOffset + key.byteSize(), Math.max(WORD, value.byteAlignment()));
        long byteSize = Sizes.alignUpExact(valueOffset + value.byteSize(), byteAlignment);
        if (valueOffset < 0 || byteSize < 0 || byteSize > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("Too large for an entry: key=" + key.byteSize() + ", value="
                    + value.byteSize() + ", largest=" + Integer.MAX_VALUE);
        }
        return new EntryLayout(key.byteSize(), value.byteSize(), keyOffset, valueOffset, byteSize, byteAlignment);
    }

    /// The number of words of the key. The last word may contain padding, which is 0.
    public int keyWords() {
        return (int) (Sizes.alignUp(keyByteSize, WORD) / WORD);
    }

    /// The number of words behind the header.
    public int words() {
        return (int) (byteSize / WORD) - 1;
    }
}
