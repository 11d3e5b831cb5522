package dev.arenakit.mapped.internal.structure;

import java.lang.foreign.MemorySegment;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;

/// The pages of a tree whose keys are longs.
final class LongPages extends TreePages {
    private final int leafCapacity;
    private final int innerCapacity;

    LongPages(int pageByteSize, long valueByteSize) {
        super(pageByteSize, valueByteSize);
        leafCapacity = (pageByteSize - (int) TreeFormat.CONTENTS) / (Long.BYTES + leafStride);
        innerCapacity = (pageByteSize - (int) TreeFormat.CONTENTS) / (2 * Long.BYTES);
    }

    /// The largest number of entries in a leaf, or 0 if keys are not longs.
    static int capacity(TreePages pages) {
        return pages instanceof LongPages longs ? longs.leafCapacity : 0;
    }

    private int most(int level) {
        return level == 0 ? leafCapacity : innerCapacity;
    }

    @Override
    boolean isPossible(long head, int level) {
        int count = TreeFormat.count(head);
        return TreeFormat.level(head) == level && count >= 1 && count <= most(level);
    }

    @Override
    int search(MemorySegment memory, long page, long head, int from, TreeKey key) {
        return search(memory, page, head, from, ((TreeKey.OfLong) key).value);
    }

    int search(MemorySegment memory, long page, long head, int from, long key) {
        long keys = page + TreeFormat.CONTENTS;
        int low = from;
        int length = TreeFormat.count(head) - from;
        if (length <= 0) {
            return -1 - from;
        }
        // Without a branch that depends on a key: it would be predicted wrongly half of the time.
        while (length > 1) {
            int half = length >>> 1;
            low = memory.get(LONG, keys + (low + half) * 8L) <= key ? low + half : low;
            length -= half;
        }
        long found = memory.get(LONG, keys + low * 8L);
        return found == key ? low : found < key ? -low - 2 : -low - 1;
    }

    @Override
    long value(MemorySegment memory, long page, int level, int index) {
        return page + TreeFormat.CONTENTS + most(level) * 8L + (long) index * stride(level);
    }

    @Override
    TreeKey key(MemorySegment memory, long page, int level, int index, TreeKey reused) {
        ((TreeKey.OfLong) reused).value = key(memory, page, index);
        return reused;
    }

    static long key(MemorySegment memory, long page, int index) {
        return memory.get(LONG, page + TreeFormat.CONTENTS + index * 8L);
    }

    @Override
    void copyLeaf(MemorySegment memory, long page, MemorySegment target) {
        long head = head(memory, page);
        int count = isPossible(head, 0) ? TreeFormat.count(head) : 0;
        target.set(LONG, TreeFormat.HEAD, head);
        MemorySegment.copy(memory, page + TreeFormat.CONTENTS, target, TreeFormat.CONTENTS, count * 8L);
        MemorySegment.copy(memory, value(memory, page, 0, 0), target, value(target, 0, 0, 0),
                (long) count * leafStride);
    }

    @Override
    TreeKey newKey() {
        return new TreeKey.OfLong(0);
    }

    @Override
    void append(MemorySegment memory, long page, long source, int from, int to) {
        long head = head(memory, page);
        int level = TreeFormat.level(head);
        int count = TreeFormat.count(head);
        if (from < 0 || to > most(level) || count + to - from > most(level)) {
            throw new IllegalStateException("Structure is damaged: a page has too many entries, count=" + to);
        }
        int length = to - from;
        if (length > 0) {
            MemorySegment.copy(memory, source + TreeFormat.CONTENTS + from * 8L, memory,
                    page + TreeFormat.CONTENTS + count * 8L, length * 8L);
            MemorySegment.copy(memory, value(memory, source, level, from), memory, value(memory, page, level, count),
                    (long) length * stride(level));
            memory.set(LONG, page + TreeFormat.HEAD, TreeFormat.head(level, count + length, 0));
        }
    }

    @Override
    void append(MemorySegment memory, long page, TreeKey key, MemorySegment values, long value) {
        long head = head(memory, page);
        int level = TreeFormat.level(head);
        int count = TreeFormat.count(head);
        if (count >= most(level)) {
            throw new IllegalStateException("Structure is damaged: a page has too many entries, count=" + count);
        }
        memory.set(LONG, page + TreeFormat.CONTENTS + count * 8L, ((TreeKey.OfLong) key).value);
        int stride = stride(level);
        if (stride == Long.BYTES) {
            memory.set(LONG, value(memory, page, level, count), values.get(LONG, value));
        } else {
            MemorySegment.copy(values, value, memory, value(memory, page, level, count), stride);
        }
        memory.set(LONG, page + TreeFormat.HEAD, TreeFormat.head(level, count + 1, 0));
    }

    @Override
    int capacity(int level) {
        return most(level) * (Long.BYTES + stride(level));
    }

    @Override
    int byteSize(MemorySegment memory, long page, int level, int from, int to) {
        return (to - from) * (Long.BYTES + stride(level));
    }

    @Override
    int byteSize(int level, TreeKey key) {
        return Long.BYTES + stride(level);
    }

    @Override
    TreeKey separator(MemorySegment memory, long left, long right) {
        return new TreeKey.OfLong(key(memory, right, 0));
    }
}
