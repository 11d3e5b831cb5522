package dev.arenakit.mapped.internal.tree;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;

/// The pages of a tree whose keys are bytes.
final class BytesPages extends TreePages {
    private static final ValueLayout.OfLong BIG_ENDIAN = ValueLayout.JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN);
    private static final int SLOT_BYTE_SIZE = 8;
    private static final int UNIT_SHIFT = 3;
    private static final int SHORT = 0xFFFF;
    private static final TreeKey.OfBytes EMPTY = new TreeKey.OfBytes(new byte[0], 0);

    BytesPages(int pageByteSize, long valueByteSize) {
        super(pageByteSize, valueByteSize);
    }

    @Override
    public boolean isPossible(long head, int level) {
        int count = TreeFormat.count(head);
        int end = TreeFormat.end(head);
        return TreeFormat.level(head) == level && count >= 1 && end % 8 == 0 && end <= pageByteSize
                && end >= TreeFormat.CONTENTS + (long) count * SLOT_BYTE_SIZE;
    }

    private static long slot(MemorySegment memory, long page, int index) {
        return memory.get(LONG, page + TreeFormat.CONTENTS + (long) index * SLOT_BYTE_SIZE);
    }

    private static int entry(long slot) {
        return ((int) slot & SHORT) << UNIT_SHIFT;
    }

    private static int length(long slot) {
        return (int) slot >>> 16;
    }

    private static int keyByteSize(long slot) {
        return (length(slot) + 7) & -8;
    }

    /// Whether the entry of a slot is within the page.
    private boolean isWithin(long slot, int stride) {
        int offset = entry(slot);
        return offset >= TreeFormat.CONTENTS && offset + stride + keyByteSize(slot) <= pageByteSize
                && length(slot) <= TreeFormat.LARGEST_KEY;
    }

    @Override
    int search(MemorySegment memory, long page, long head, int from, TreeKey key) {
        TreeKey.OfBytes bytes = (TreeKey.OfBytes) key;
        int stride = stride(TreeFormat.level(head));
        int prefix = bytes.prefix();
        int low = from;
        int high = TreeFormat.count(head) - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            long slot = slot(memory, page, middle);
            int compared = Integer.compareUnsigned((int) (slot >>> 32), prefix);
            if (compared == 0) {
                if (!isWithin(slot, stride)) {
                    return DAMAGED;
                }
                compared = compare(memory, page + entry(slot) + stride, length(slot), bytes);
            }
            if (compared < 0) {
                low = middle + 1;
            } else if (compared > 0) {
                high = middle - 1;
            } else {
                return middle;
            }
        }
        return -1 - low;
    }

    @Override
    public int searchCopy(MemorySegment copy, int from, TreeKey key) {
        return search(copy, 0, head(copy, 0), from, key);
    }

    private static int compare(MemorySegment memory, long at, int length, TreeKey.OfBytes key) {
        int words = (Math.min(length, key.length) + 7) >> 3;
        for (int i = 0; i < words; i++) {
            int compared = Long.compareUnsigned(memory.get(BIG_ENDIAN, at + i * 8L), key.word(i));
            if (compared != 0) {
                return compared;
            }
        }
        return Integer.compare(length, key.length);
    }

    @Override
    public long value(MemorySegment memory, long page, int level, int index) {
        long slot = slot(memory, page, index);
        return isWithin(slot, stride(level)) ? page + entry(slot) : -1;
    }

    @Override
    public TreeKey key(MemorySegment memory, long page, int level, int index, TreeKey reused) {
        long slot = slot(memory, page, index);
        int stride = stride(level);
        if (!isWithin(slot, stride)) {
            return EMPTY;
        }
        byte[] padded = new byte[keyByteSize(slot)];
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, page + entry(slot) + stride, padded, 0, padded.length);
        return new TreeKey.OfBytes(padded, length(slot));
    }

    @Override
    public TreeKey newKey() {
        return EMPTY;
    }

    @Override
    void append(MemorySegment memory, long page, long source, int from, int to) {
        if (from >= to) {
            return;
        }
        long head = head(memory, page);
        int level = TreeFormat.level(head);
        int count = TreeFormat.count(head);
        int low = entry(slot(memory, source, to - 1));
        int high = begin(memory, source, from);
        int byteSize = high - low;
        int end = TreeFormat.end(head) - byteSize;
        long slots = page + TreeFormat.CONTENTS + (long) count * SLOT_BYTE_SIZE;
        long sourceSlots = source + TreeFormat.CONTENTS + (long) from * SLOT_BYTE_SIZE;
        int slotByteSize = (to - from) * SLOT_BYTE_SIZE;
        if (byteSize < 0 || low < TreeFormat.CONTENTS || high > pageByteSize
                || end < slots + slotByteSize - page) {
            throw new IllegalStateException("Structure is damaged: entries exceed their page, byteSize=" + byteSize);
        }
        MemorySegment.copy(memory, source + low, memory, page + end, byteSize);
        // The entries move by the same distance: the fields beside the offset do not change.
        int distance = (end - low) >> UNIT_SHIFT;
        for (long i = 0; i < slotByteSize; i += SLOT_BYTE_SIZE) {
            memory.set(LONG, slots + i, memory.get(LONG, sourceSlots + i) + distance);
        }
        memory.set(LONG, page + TreeFormat.HEAD, TreeFormat.head(level, count + to - from, end));
    }

    /// The offset at which the entries from an index begin, which descend.
    private int begin(MemorySegment memory, long page, int index) {
        return index == 0 ? pageByteSize : entry(slot(memory, page, index - 1));
    }

    @Override
    void append(MemorySegment memory, long page, TreeKey key, MemorySegment value) {
        TreeKey.OfBytes bytes = (TreeKey.OfBytes) key;
        long head = head(memory, page);
        int level = TreeFormat.level(head);
        int count = TreeFormat.count(head);
        int stride = stride(level);
        int end = TreeFormat.end(head) - stride - bytes.padded.length;
        long slot = TreeFormat.CONTENTS + (long) count * SLOT_BYTE_SIZE;
        if (end < slot + SLOT_BYTE_SIZE) {
            throw new IllegalStateException("Structure is damaged: entries exceed their page, count=" + count);
        }
        MemorySegment.copy(value, 0, memory, page + end, stride);
        MemorySegment.copy(bytes.padded, 0, memory, ValueLayout.JAVA_BYTE, page + end + stride, bytes.padded.length);
        memory.set(LONG, page + slot, Integer.toUnsignedLong(bytes.prefix()) << 32 | (long) bytes.length << 16
                | end >>> UNIT_SHIFT);
        memory.set(LONG, page + TreeFormat.HEAD, TreeFormat.head(level, count + 1, end));
    }

    @Override
    int capacity(int level) {
        return pageByteSize - (int) TreeFormat.CONTENTS;
    }

    @Override
    int byteSize(MemorySegment memory, long page, int level, int from, int to) {
        return from >= to
                ? 0
                : begin(memory, page, from) - entry(slot(memory, page, to - 1))
                        + (to - from) * SLOT_BYTE_SIZE;
    }

    @Override
    int byteSize(int level, TreeKey key) {
        return SLOT_BYTE_SIZE + stride(level) + ((TreeKey.OfBytes) key).padded.length;
    }

    @Override
    TreeKey separator(MemorySegment memory, int level, long left, long right) {
        TreeKey.OfBytes first = (TreeKey.OfBytes) key(memory, right, level, 0, EMPTY);
        // Keys of other children of an inner page may be larger than its last key.
        return level > 0
                ? first
                : first.shortestAbove((TreeKey.OfBytes) key(memory, left, 0, count(memory, left) - 1, EMPTY));
    }
}
