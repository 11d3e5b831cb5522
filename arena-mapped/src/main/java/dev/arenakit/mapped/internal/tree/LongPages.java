package dev.arenakit.mapped.internal.tree;

import java.lang.foreign.MemorySegment;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;
import static dev.arenakit.mapped.internal.structure.StructureFormat.WORD;

/// The pages of a tree whose keys are longs.
final class LongPages extends TreePages {
    /* A search counts the samples that are not larger than the key. Their addresses are known before any of them is read,
     * so all of them cost one miss of the cache. They determine a line of keys and a line of values, which are read
     * together. No branch depends on a key, because it would be predicted wrongly half of the time. Unused samples, and
     * unused keys of the last line, are the largest long. It is also a key, so the number of entries limits the result.
     */

    private static final int LINE_SHIFT = 3;
    private static final int LINE = 1 << LINE_SHIFT;
    private static final long LINE_BYTE_SIZE = LINE * Long.BYTES;
    private static final long SAMPLES = 64;
    private static final int SAMPLE_LINES = 4;
    private static final long KEYS = SAMPLES + SAMPLE_LINES * LINE_BYTE_SIZE;
    /// The largest number of entries for which there are samples.
    private static final int MOST_ENTRIES = SAMPLE_LINES * LINE * LINE;
    /// The number of entries, and the offset of the values, in a smallest page with values of 8 bytes.
    private static final int SMALL_CAPACITY = capacity(TreeFormat.SMALLEST_PAGE, Long.BYTES);
    private static final long SMALL_VALUES = values(SMALL_CAPACITY);

    /// The indexes of the first key and the first value among the words of a leaf, in a tree from longs to longs.
    static final int FIRST_KEY = (int) KEYS / Long.BYTES;
    static final int FIRST_VALUE = (int) SMALL_VALUES / Long.BYTES;

    private final int leafCapacity;
    private final int innerCapacity;

    LongPages(int pageByteSize, long valueByteSize) {
        super(pageByteSize, valueByteSize);
        leafCapacity = capacity(pageByteSize, leafStride);
        innerCapacity = capacity(pageByteSize, Long.BYTES);
    }

    /// The largest number of entries of a page. Values begin with a line.
    private static int capacity(int pageByteSize, int stride) {
        int capacity = Math.min((pageByteSize - (int) KEYS) / (Long.BYTES + stride), MOST_ENTRIES);
        while (values(capacity) + (long) capacity * stride > pageByteSize) {
            capacity--;
        }
        return capacity;
    }

    /// The offset of the values in a page with room for a number of keys.
    static long values(int capacity) {
        return KEYS + Math.ceilDiv(capacity, LINE) * LINE_BYTE_SIZE;
    }

    private int most(int level) {
        return level == 0 ? leafCapacity : innerCapacity;
    }

    @Override
    public boolean isPossible(long head, int level) {
        int count = TreeFormat.count(head);
        return TreeFormat.level(head) == level && count >= 1 && count <= most(level);
    }

    @Override
    int search(MemorySegment memory, long page, long head, int from, TreeKey key) {
        long sought = ((TreeKey.OfLong) key).value;
        int count = TreeFormat.count(head);
        MemorySegment keys = memory.asSlice(page, TreeFormat.SMALLEST_PAGE);
        int line = line(keys, count, sought);
        int later = notLarger(keys, KEYS + line * LINE_BYTE_SIZE, sought);
        int index = Math.min((line << LINE_SHIFT) + later, count - 1);
        if (index < from) {
            return -1 - from;
        }
        long found = key(memory, page, index);
        return found == sought ? index : found < sought ? -index - 2 : -index - 1;
    }

    @Override
    public int searchCopy(MemorySegment copy, int from, TreeKey key) {
        long sought = ((TreeKey.OfLong) key).value;
        int low = from;
        int high = count(copy, 0) - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            long found = key(copy, 0, middle);
            if (found == sought) {
                return middle;
            }
            low = found < sought ? middle + 1 : low;
            high = found < sought ? high : middle - 1;
        }
        return -1 - low;
    }

    /// The line with the largest key that is not larger than a key, or 0. All samples are within the smallest page.
    private static int line(MemorySegment page, int count, long key) {
        int samples = isNotLarger(page.get(WORD, SAMPLES + LINE_BYTE_SIZE), key)
                + isNotLarger(page.get(WORD, SAMPLES + 2 * LINE_BYTE_SIZE), key)
                + isNotLarger(page.get(WORD, SAMPLES + 3 * LINE_BYTE_SIZE), key);
        int line = (samples << LINE_SHIFT) + notLarger(page, SAMPLES + samples * LINE_BYTE_SIZE, key);
        return Math.min(Math.min(line, (count - 1) >>> LINE_SHIFT), SAMPLE_LINES * LINE - 1);
    }

    /// One profile for all comparisons keeps the compiler from making branches of some.
    private static int isNotLarger(long word, long key) {
        return word <= key ? 1 : 0;
    }

    /// The number of words of a line that are not larger than a key, except for the first word.
    private static int notLarger(MemorySegment page, long words, long key) {
        return isNotLarger(page.get(WORD, words + 8), key)
                + isNotLarger(page.get(WORD, words + 16), key)
                + isNotLarger(page.get(WORD, words + 24), key)
                + isNotLarger(page.get(WORD, words + 32), key)
                + isNotLarger(page.get(WORD, words + 40), key)
                + isNotLarger(page.get(WORD, words + 48), key)
                + isNotLarger(page.get(WORD, words + 56), key);
    }

    /// Reads the word of the largest key that is not larger than a key, or of the first key of an inner page, in a tree
    /// from longs to longs.
    ///
    /// @param missing      the result if a leaf does not contain the key
    /// @param isOnlySought whether the result is 1 if a leaf contains the key
    long word(MemorySegment memory, long offset, long head, long key, long missing, boolean isOnlySought) {
        MemorySegment page = memory.asSlice(offset, TreeFormat.SMALLEST_PAGE);
        int count = TreeFormat.count(head);
        int line = Math.min(line(page, count, key), SMALL_CAPACITY / LINE - 1);
        long keys = KEYS + line * LINE_BYTE_SIZE;
        long values = SMALL_VALUES + line * LINE_BYTE_SIZE;
        int index = 0;
        long before = page.get(WORD, values);
        long word = before;
        for (int i = 1; i < LINE; i++) {
            int isNotLarger = isNotLarger(page.get(WORD, keys + i * 8L), key);
            long next = page.get(WORD, values + i * 8L);
            index += isNotLarger;
            // All words of the line are read, so that keys and values cost one miss of the cache.
            word += -(long) isNotLarger & next - before;
            before = next;
        }
        if (key == Long.MAX_VALUE) {
            index = count - 1 - (line << LINE_SHIFT) & LINE - 1;
            word = page.get(WORD, values + index * 8L);
        }
        return TreeFormat.level(head) > 0
                ? word
                : page.get(WORD, keys + index * 8L) != key ? missing : isOnlySought ? 1 : word;
    }

    @Override
    public long value(MemorySegment memory, long page, int level, int index) {
        return page + values(most(level)) + (long) index * stride(level);
    }

    @Override
    public TreeKey key(MemorySegment memory, long page, int level, int index, TreeKey reused) {
        ((TreeKey.OfLong) reused).value = key(memory, page, index);
        return reused;
    }

    private static long key(MemorySegment memory, long page, int index) {
        return memory.get(LONG, page + KEYS + index * 8L);
    }

    @Override
    int usedByteSize(int count) {
        return (int) values(leafCapacity) + count * leafStride;
    }

    @Override
    public TreeKey newKey() {
        return new TreeKey.OfLong(0);
    }

    @Override
    void append(MemorySegment memory, long page, long source, int from, int to) {
        int length = to - from;
        if (length <= 0) {
            return;
        }
        int level = TreeFormat.level(head(memory, page));
        int count = count(memory, page);
        MemorySegment.copy(memory, source + KEYS + from * 8L, memory, page + KEYS + count * 8L,
                length * 8L);
        MemorySegment.copy(memory, value(memory, source, level, from), memory, value(memory, page, level, count),
                (long) length * stride(level));
        memory.set(LONG, page + TreeFormat.HEAD, TreeFormat.head(level, count + length, 0));
    }

    @Override
    void append(MemorySegment memory, long page, TreeKey key, MemorySegment value) {
        int level = TreeFormat.level(head(memory, page));
        int count = count(memory, page);
        memory.set(LONG, page + KEYS + count * 8L, ((TreeKey.OfLong) key).value);
        MemorySegment.copy(value, 0, memory, value(memory, page, level, count), stride(level));
        memory.set(LONG, page + TreeFormat.HEAD, TreeFormat.head(level, count + 1, 0));
    }

    @Override
    void finish(MemorySegment memory, long page) {
        int count = count(memory, page);
        long keys = page + KEYS;
        for (int index = count; (index & LINE - 1) != 0; index++) {
            memory.set(WORD, keys + index * 8L, Long.MAX_VALUE);
        }
        int lines = (count + LINE - 1) >> LINE_SHIFT;
        for (int line = 0; line < lines; line++) {
            memory.set(WORD, page + SAMPLES + line * 8L, memory.get(WORD, keys + line * LINE_BYTE_SIZE));
        }
        for (int line = lines; line < SAMPLE_LINES * LINE; line++) {
            memory.set(WORD, page + SAMPLES + line * 8L, Long.MAX_VALUE);
        }
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
}
