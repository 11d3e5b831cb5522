package dev.arenakit.mapped.internal.table;

import dev.arenakit.internal.Sizes;
import dev.arenakit.mapped.internal.structure.Extents;
import dev.arenakit.mapped.internal.structure.OwnedMemory;
import dev.arenakit.mapped.internal.structure.StructureFormat;
import dev.arenakit.mapped.internal.table.EntryTableReader.Table;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;

/// The memory of the entries of a map of records. [EntryGroups] describes its fields.
final class EntrySpace {
    /// The size up to which an extent is as large as all earlier extents together. Larger extents are a quarter of the
    /// earlier extents, so that no large part of the memory is unused.
    private static final long LARGEST_DOUBLED = 64 << 10;
    private static final long PAGE = 4096;

    private final OwnedMemory memory;
    private final Extents extents;
    private final EntryTableReader reader;
    private final long entryByteSize;
    private final int words;

    EntrySpace(OwnedMemory memory, Extents extents, EntryTableReader reader) {
        this.memory = memory;
        this.extents = extents;
        this.reader = reader;
        entryByteSize = reader.layout.byteSize();
        words = reader.layout.words();
    }

    /// Writes an entry, to which nothing refers yet.
    ///
    /// @param written memory with the bytes of the entry
    /// @return the offset of the entry
    long add(Table table, MemorySegment written) {
        MemorySegment segment = table.memory();
        long entry = segment.get(LONG, EntryGroups.FREE);
        if (entry != 0) {
            segment.set(LONG, EntryGroups.FREE, next(table, entry));
        } else {
            entry = segment.get(LONG, EntryGroups.UNUSED);
            if (entry == segment.get(LONG, EntryGroups.UNUSED_END)) {
                entry = extend();
                segment = memory.segment();
            } else if (entry < StructureFormat.BYTE_SIZE || entry > table.limit()) {
                throw memory.damaged("unused entry=0x" + Long.toHexString(entry));
            }
            segment.set(LONG, EntryGroups.UNUSED, entry + entryByteSize);
        }
        write(segment, entry, written);
        return entry;
    }

    private long next(Table table, long entry) {
        if (entry < StructureFormat.BYTE_SIZE || entry > table.limit() || entry % Long.BYTES != 0
                || table.overlaps(entry, entryByteSize)) {
            throw memory.damaged("free entry=0x" + Long.toHexString(entry));
        }
        return table.memory().get(LONG, entry);
    }

    private void write(MemorySegment segment, long entry, MemorySegment written) {
        // A reader that sees a new byte of the entry sees that the slot does not refer to it any more, too.
        VarHandle.storeStoreFence();
        long sequence = segment.get(LONG, EntryGroups.SEQUENCE);
        segment.set(LONG, EntryGroups.SEQUENCE, sequence + 1);
        segment.set(LONG, entry, EntryGroups.header(written, EntryGroups.HEADER, words, entry, sequence));
        VarHandle.storeStoreFence();
        MemorySegment.copy(written, EntryGroups.HEADER, segment, entry + EntryGroups.HEADER, (long) words * Long.BYTES);
    }

    /// Makes an entry free. No slot refers to it.
    void free(MemorySegment segment, long entry) {
        VarHandle.storeStoreFence();
        segment.set(LONG, entry, segment.get(LONG, EntryGroups.FREE));
        segment.set(LONG, EntryGroups.FREE, entry);
    }

    /// Makes all memory free. The table is empty.
    void clear(MemorySegment segment) {
        segment.set(LONG, EntryGroups.FREE, 0);
        segment.set(LONG, EntryGroups.UNUSED, 0);
        segment.set(LONG, EntryGroups.UNUSED_END, 0);
        extents.releaseUnless(Extents.ENTRIES, _ -> false);
    }

    /// Adds an extent. If that fails, nothing has changed.
    ///
    /// @return the offset of its first entry
    private long extend() {
        MemorySegment segment = memory.segment();
        long present = 0;
        for (int i = 0; i < extents.count(); i++) {
            if (Extents.use(segment, i) == Extents.ENTRIES) {
                present += Extents.size(segment, i);
            }
        }
        long least = Math.max(entryByteSize, Math.max(present / 4, Math.min(present, LARGEST_DOUBLED)));
        long byteSize = Sizes.alignUp(Math.max(least, PAGE), PAGE);
        long offset = extents.allocate(byteSize, Extents.ENTRIES);
        segment = memory.segment();
        segment.set(LONG, EntryGroups.UNUSED_END, offset + byteSize / entryByteSize * entryByteSize);
        segment.set(LONG, EntryGroups.UNUSED, offset);
        reader.grown();
        return offset;
    }

    /// Whether the recorded offsets are possible.
    boolean isPossible(Table table) {
        MemorySegment segment = table.memory();
        long free = segment.get(LONG, EntryGroups.FREE);
        long unused = segment.get(LONG, EntryGroups.UNUSED);
        long end = segment.get(LONG, EntryGroups.UNUSED_END);
        int extent = extentOf(unused);
        return (free == 0 || extentOf(free) >= 0) && (unused == end || (extent >= 0
                && isUnused(Extents.offset(segment, extent), Extents.size(segment, extent), unused, end)));
    }

    /// Whether a range is a range of entries of an extent.
    private boolean isUnused(long extent, long byteSize, long unused, long end) {
        return unused >= extent && unused < end && end <= extent + byteSize && (unused - extent) % entryByteSize == 0
                && (end - extent) % entryByteSize == 0;
    }

    private int extentOf(long offset) {
        MemorySegment segment = memory.segment();
        for (int i = 0; i < extents.count(); i++) {
            if (Extents.use(segment, i) == Extents.ENTRIES && offset >= Extents.offset(segment, i)
                    && offset - Extents.offset(segment, i) < Extents.size(segment, i)) {
                return i;
            }
        }
        return -1;
    }

    /// Lists the free entries again: all entries to which no slot refers.
    ///
    /// @return the number of entries to which slots refer
    long rebuild(Table table) {
        Usage usage = new Usage();
        long count = 0;
        for (long number = 0; number <= table.mask(); number++) {
            long group = table.group(number);
            long tags = table.memory().get(LONG, group);
            for (int i = 0; i < EntryGroups.SLOTS; i++) {
                long slot = EntryGroups.slot(group, i);
                if (EntryGroups.tag(tags, slot) != 0) {
                    usage.add(EntryGroups.entry(table.memory().get(LONG, slot)));
                    count++;
                }
            }
        }
        usage.listFree(table.memory());
        return count;
    }

    /// The entries to which slots refer.
    private final class Usage {
        /// The offsets of the extents of entries, in ascending order.
        private final long[] offsets;
        /// The numbers of entries that the extents have room for.
        private final long[] sizes;
        /// A bit for each entry of each extent.
        private final long[][] used;

        Usage() {
            MemorySegment segment = memory.segment();
            int[] entries = IntStream.range(0, extents.count())
                    .filter(i -> Extents.use(segment, i) == Extents.ENTRIES)
                    .boxed()
                    .sorted(Comparator.comparingLong(i -> Extents.offset(segment, i)))
                    .mapToInt(i -> i)
                    .toArray();
            offsets = Arrays.stream(entries).mapToLong(i -> Extents.offset(segment, i)).toArray();
            sizes = Arrays.stream(entries).mapToLong(i -> Extents.size(segment, i) / entryByteSize).toArray();
            used = Arrays.stream(sizes)
                    .mapToObj(size -> new long[Math.toIntExact((size + 63) / 64)])
                    .toArray(long[][]::new);
        }

        void add(long entry) {
            int found = Arrays.binarySearch(offsets, entry);
            int extent = found >= 0 ? found : -2 - found;
            long number = extent < 0 ? -1 : (entry - offsets[extent]) / entryByteSize;
            if (number < 0 || number >= sizes[extent] || entry != offsets[extent] + number * entryByteSize) {
                throw memory.damaged("slot refers to entry=0x" + Long.toHexString(entry));
            }
            long bit = 1L << number;
            long[] bits = used[extent];
            if ((bits[(int) (number >>> 6)] & bit) != 0) {
                throw memory.damaged("two slots refer to entry=0x" + Long.toHexString(entry));
            }
            bits[(int) (number >>> 6)] |= bit;
        }

        void listFree(MemorySegment segment) {
            long unused = segment.get(LONG, EntryGroups.UNUSED);
            long end = segment.get(LONG, EntryGroups.UNUSED_END);
            segment.set(LONG, EntryGroups.FREE, 0);
            boolean isPossible = false;
            for (int extent = offsets.length - 1; extent >= 0; extent--) {
                long from = offsets[extent];
                long size = sizes[extent];
                // The unused entries of the last extent stay untouched: their pages may not have any memory yet.
                if (isUnused(from, size * entryByteSize, unused, end)) {
                    long first = Math.max((unused - from) / entryByteSize, length(used[extent]));
                    segment.set(LONG, EntryGroups.UNUSED, from + first * entryByteSize);
                    size = first;
                    isPossible = true;
                }
                for (long number = size - 1; number >= 0; number--) {
                    if ((used[extent][(int) (number >>> 6)] & 1L << number) == 0) {
                        free(segment, from + number * entryByteSize);
                    }
                }
            }
            if (!isPossible) {
                segment.set(LONG, EntryGroups.UNUSED, 0);
                segment.set(LONG, EntryGroups.UNUSED_END, 0);
            }
        }

        /// The number of the highest used entry plus 1.
        private static long length(long[] bits) {
            for (int i = bits.length - 1; i >= 0; i--) {
                if (bits[i] != 0) {
                    return i * 64L + 64 - Long.numberOfLeadingZeros(bits[i]);
                }
            }
            return 0;
        }
    }
}
