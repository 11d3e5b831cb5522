package dev.arenakit.collection;

import dev.arenakit.internal.collection.CollectionMessages;
import dev.arenakit.internal.collection.ElementArray;
import dev.arenakit.internal.collection.TableMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// A set of bits with `long` indexes, in off-heap memory. All bits are clear at first, up to the largest index.
///
/// **Complexity.** [#get], [#set(long)], [#clear(long)] and [#flip] take constant time, on average over the growth. The
/// other operations take time proportional to the highest index at which a bit was ever set.
///
/// **Memory.** The table has a bit for each index up to the highest index at which a bit was ever set. It grows by at
/// least 3/5, and never shrinks. A sparse set takes as much memory as a full set.
///
/// **Growth.** A set grows in place if the allocator can, otherwise it moves to another table, as a [LongList] does.
/// [LongList] states the requirements on allocators.
///
/// **When memory is exhausted,** the exception of the allocator is thrown, or a
/// [dev.arenakit.CapacityExceededException] if a slicing allocator is full. The set is unchanged. If another Error
/// interrupts a change, such as a [StackOverflowError], the set can be [unusable][dev.arenakit.collection].
///
/// **Lifetime.** [#close()] releases the memory of a set that owns arenas or uses a block allocator. After `close`, and
/// after the end of the memory's lifetime, each operation throws an [IllegalStateException].
///
/// **Threads.** A set is not synchronized. While one thread changes it, no other thread may use it. While no thread
/// changes it, any thread that may access its memory may read it.
///
/// {@snippet :
/// try (LongBitSet seen = LongBitSet.owning(MallocArena::ofConfined)) {
///     seen.set(10_000_000_000L);
///     seen.nextSetBit(0); // 10_000_000_000, and the set takes 1.25 GB
/// }
/// }
public final class LongBitSet implements AutoCloseable {
    private static final int SHIFT = 6;
    /// The words that were written, in the order of the indexes. Words beyond the size of this array count as zero.
    private final ElementArray words;

    private LongBitSet(TableMemory memory, long expectedBits) {
        CollectionMessages.checkExpectedSize(expectedBits);
        words = new ElementArray(memory, "LongBitSet", Long.BYTES, Long.BYTES, (expectedBits >>> SHIFT) + 1);
    }

    /// Creates a set whose tables come from an allocator.
    ///
    /// @param allocator the allocator of every table
    /// @return a set without bits
    public static LongBitSet create(SegmentAllocator allocator) {
        return create(allocator, 0);
    }

    /// Creates a set whose tables come from an allocator, and which grows only beyond an expected number of bits.
    ///
    /// @param allocator    the allocator of every table
    /// @param expectedBits the expected number of bits, up to the highest bit that is set
    /// @return a set without bits
    /// @throws IllegalArgumentException if the number is negative
    public static LongBitSet create(SegmentAllocator allocator, long expectedBits) {
        return new LongBitSet(TableMemory.of(allocator), expectedBits);
    }

    /// Creates a set whose tables have an arena each, which is closed when the set has moved to a larger table.
    ///
    /// @param arenas opens a new arena at each call, such as `MallocArena::ofConfined`
    /// @return a set without bits, to be closed
    public static LongBitSet owning(Supplier<? extends Arena> arenas) {
        return owning(arenas, 0);
    }

    /// Creates a set whose tables have an arena each, and which grows only beyond an expected number of bits.
    ///
    /// @param arenas       opens a new arena at each call, such as `MallocArena::ofConfined`
    /// @param expectedBits the expected number of bits, up to the highest bit that is set
    /// @return a set without bits, to be closed
    /// @throws IllegalArgumentException if the number is negative
    public static LongBitSet owning(Supplier<? extends Arena> arenas, long expectedBits) {
        return new LongBitSet(TableMemory.owning(arenas), expectedBits);
    }

    /// {@return whether a bit is set}
    ///
    /// @param index the index of the bit
    /// @throws IndexOutOfBoundsException if the index is negative
    public boolean get(long index) {
        return (word(checkIndex(index) >>> SHIFT) & (1L << index)) != 0;
    }

    /// Sets a bit.
    ///
    /// @param index the index of the bit
    /// @throws IndexOutOfBoundsException if the index is negative
    public void set(long index) {
        long word = checkIndex(index) >>> SHIFT;
        grow(word + 1);
        setWord(word, word(word) | (1L << index));
    }

    /// Clears a bit.
    ///
    /// @param index the index of the bit
    /// @throws IndexOutOfBoundsException if the index is negative
    public void clear(long index) {
        long word = checkIndex(index) >>> SHIFT;
        if (word < words.sizeIfOpen()) {
            setWord(word, word(word) & ~(1L << index));
        }
    }

    /// Changes a bit: clears it if it is set, and sets it if it is clear.
    ///
    /// @param index the index of the bit
    /// @throws IndexOutOfBoundsException if the index is negative
    public void flip(long index) {
        long word = checkIndex(index) >>> SHIFT;
        grow(word + 1);
        setWord(word, word(word) ^ (1L << index));
    }

    /// Sets the bits of a range.
    ///
    /// @param from the first index
    /// @param to   the index after the last bit
    /// @throws IndexOutOfBoundsException if the range ends before it begins, or the first index is negative
    public void set(long from, long to) {
        checkRange(from, to);
        words.checkOpen();
        if (from < to) {
            grow(((to - 1) >>> SHIFT) + 1);
            long size = words.startChange();
            for (long word = from >>> SHIFT; word <= (to - 1) >>> SHIFT; word++) {
                setWord(word, wordAt(word) | mask(word, from, to));
            }
            words.setSize(size);
        }
    }

    /// Clears the bits of a range.
    ///
    /// @param from the first index
    /// @param to   the index after the last bit
    /// @throws IndexOutOfBoundsException if the range ends before it begins, or the first index is negative
    public void clear(long from, long to) {
        checkRange(from, to);
        words.checkOpen();
        if (from < to) {
            long size = words.startChange();
            long end = Math.min(((to - 1) >>> SHIFT) + 1, size);
            for (long word = from >>> SHIFT; word < end; word++) {
                setWord(word, wordAt(word) & ~mask(word, from, to));
            }
            words.setSize(size);
        }
    }

    /// Clears all bits. The table keeps its size.
    public void clear() {
        words.truncate(0);
    }

    /// Returns the first index at which a bit is set.
    ///
    /// @param from the smallest index
    /// @return the index, or -1
    /// @throws IndexOutOfBoundsException if the index is negative
    public long nextSetBit(long from) {
        return next(from, 0);
    }

    /// Returns the first index at which a bit is clear.
    ///
    /// @param from the smallest index
    /// @return the index
    /// @throws IndexOutOfBoundsException if the index is negative
    public long nextClearBit(long from) {
        long index = next(from, -1);
        return index < 0 ? Math.max(from, words.size() << SHIFT) : index;
    }

    /// {@return whether no bit is set}
    public boolean isEmpty() {
        return nextSetBit(0) < 0;
    }

    /// {@return the number of bits that are set}
    public long cardinality() {
        long end = words.sizeIfOpen();
        long count = 0;
        for (long word = 0; word < end; word++) {
            count += Long.bitCount(word(word));
        }
        return count;
    }

    /// Clears the bits that are not set in another set.
    ///
    /// @param other the other set
    public void and(LongBitSet other) {
        long common = Math.min(words.sizeIfOpen(), other.words.sizeIfOpen());
        words.startChange();
        for (long word = 0; word < common; word++) {
            setWord(word, wordAt(word) & other.wordAt(word));
        }
        words.setSize(common);
    }

    /// Sets the bits that are set in another set.
    ///
    /// @param other the other set
    public void or(LongBitSet other) {
        long end = other.words.sizeIfOpen();
        grow(end);
        long size = words.startChange();
        for (long word = 0; word < end; word++) {
            setWord(word, wordAt(word) | other.wordAt(word));
        }
        words.setSize(size);
    }

    /// Clears the bits that are set in another set.
    ///
    /// @param other the other set
    public void andNot(LongBitSet other) {
        long common = Math.min(words.sizeIfOpen(), other.words.sizeIfOpen());
        long size = words.startChange();
        for (long word = 0; word < common; word++) {
            setWord(word, wordAt(word) & ~other.wordAt(word));
        }
        words.setSize(size);
    }

    /// Performs an action on the index of each bit that is set, in ascending order.
    ///
    /// @param action the action, which may change the set; it sees changes at indexes after the present one
    public void forEach(LongConsumer action) {
        for (long index = nextSetBit(0); index >= 0; index = index == Long.MAX_VALUE ? -1 : nextSetBit(index + 1)) {
            action.accept(index);
        }
    }

    /// {@return the size of the table in bytes}
    public long byteSize() {
        return words.byteSize();
    }

    /// Releases the memory of the set if the set owns it. Further calls have no effect.
    ///
    /// @throws IllegalStateException if the memory is in use, for example by a native call; the set is closed, and a
    ///                               further call tries again to release its memory
    /// @throws WrongThreadException  if the memory is confined to another thread; nothing has changed
    @Override
    public void close() {
        words.close();
    }

    /// {@return the number of bits that are set, and the size of the table}
    @Override
    public String toString() {
        return CollectionMessages.of(this, this::cardinality, "bits", this::byteSize);
    }

    /// Returns the first index at which a bit differs from the bits of `flipped`, which are all equal, or -1.
    private long next(long from, long flipped) {
        long end = words.sizeIfOpen();
        long mask = -1L << checkIndex(from);
        for (long word = from >>> SHIFT; word < end; word++) {
            long bits = (word(word) ^ flipped) & mask;
            if (bits != 0) {
                return (word << SHIFT) + Long.numberOfTrailingZeros(bits);
            }
            mask = -1;
        }
        return -1;
    }

    private long word(long word) {
        return word < words.sizeIfOpen() ? wordAt(word) : 0;
    }

    private long wordAt(long word) {
        return words.segment().getAtIndex(JAVA_LONG, word);
    }

    private void setWord(long word, long bits) {
        words.segment().setAtIndex(JAVA_LONG, word, bits);
    }

    /// Writes zeros to the words from the size to an index, and makes it the size.
    private void grow(long end) {
        long size = words.sizeIfOpen();
        if (end > size) {
            words.ensureCapacity(end);
            MemorySegment added = words.segment().asSlice(size * Long.BYTES, (end - size) * Long.BYTES);
            added.fill((byte) 0);
            words.setSize(end);
        }
    }

    private static long mask(long word, long from, long to) {
        long mask = word == from >>> SHIFT ? -1L << from : -1;
        return word == (to - 1) >>> SHIFT ? mask & (-1L >>> -to) : mask;
    }

    private static long checkIndex(long index) {
        if (index < 0) {
            throw new IndexOutOfBoundsException("Negative index: index=" + index);
        }
        return index;
    }

    private static void checkRange(long from, long to) {
        if (from < 0 || to < from) {
            throw new IndexOutOfBoundsException("Not a range: from=" + from + ", to=" + to);
        }
    }
}
