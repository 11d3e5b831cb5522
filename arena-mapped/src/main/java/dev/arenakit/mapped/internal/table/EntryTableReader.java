package dev.arenakit.mapped.internal.table;

import dev.arenakit.internal.OutOfLine;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.mapped.internal.structure.AttachedMemory;
import dev.arenakit.mapped.internal.structure.StructureFormat;
import dev.arenakit.mapped.internal.structure.StructureKind;
import dev.arenakit.mapped.internal.structure.StructureMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;
import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG_HANDLE;

/// Reads a map of records, also while another thread or process changes it. [EntryGroups] describes the format. Any
/// number of threads may use an instance.
public final class EntryTableReader {
    /// The largest binary logarithm of the number of groups, which would fill the address space.
    private static final int LARGEST_LOG = 41;

    final EntryLayout layout;
    private final StructureMemory memory;
    private final EntryScratch scratch;
    private final long seed;
    private final long keyOffset;
    private final int keyWords;
    private final long valueOffset;
    private Table table;

    EntryTableReader(StructureMemory memory, EntryLayout layout) {
        this.memory = memory;
        this.layout = layout;
        MemorySegment header = memory.segment();
        if (header.get(StructureFormat.INT, StructureFormat.KEY_SIZE) != layout.keyByteSize()
                || header.get(StructureFormat.INT, StructureFormat.VALUE_SIZE) != layout.valueByteSize()) {
            throw damaged("key or value has another size than its type");
        }
        seed = header.get(LONG, StructureFormat.SEED);
        keyOffset = layout.keyOffset();
        keyWords = layout.keyWords();
        valueOffset = layout.valueOffset();
        scratch = new EntryScratch(valueOffset, layout.byteAlignment());
        table = table(TagGroups.root(header));
    }

    /// Opens a map that another arena has open, or has left.
    public static EntryTableReader attach(String name, AttachedMemory.Mapping mapping, EntryLayout layout)
            throws IOException {
        return new EntryTableReader(AttachedMemory.open(name, StructureKind.MAP, mapping), layout);
    }

    /// A table.
    ///
    /// @param memory the memory, which contains the table
    /// @param root   the root that refers to it
    /// @param offset its offset in the memory
    /// @param mask   the number of its groups minus 1
    /// @param limit  the largest offset of an entry in the memory
    record Table(MemorySegment memory, long root, long offset, long mask, long limit) {
        long group(long number) {
            return offset + ((number & mask) << EntryGroups.GROUP_SHIFT);
        }

        long next(long group) {
            return offset + ((group - offset + EntryGroups.GROUP_BYTE_SIZE) & (mask << EntryGroups.GROUP_SHIFT));
        }

        long byteSize() {
            return (mask + 1) << EntryGroups.GROUP_SHIFT;
        }

        boolean overlaps(long entry, long entryByteSize) {
            return entry + entryByteSize > offset && entry < offset + byteSize();
        }

        boolean isCurrent() {
            return memory.get(LONG, TagGroups.ROOT) == root;
        }

        /// Whether a slot has a tag. Reads before and after this call are not reordered. The word of the slot must be
        /// read after it: a slot without a tag keeps its word, and can get a tag again only with another word.
        boolean isUsed(long slot) {
            VarHandle.loadLoadFence();
            long tags = (long) LONG_HANDLE.getAcquire(memory, EntryGroups.group(slot));
            return EntryGroups.tag(tags, slot) != 0;
        }

        /// Whether what was read of an entry is whole.
        ///
        /// @param word the word of its slot, which was read before
        boolean isUnchanged(long slot, long word) {
            return isUsed(slot) && memory.get(LONG, slot) == word && isCurrent();
        }

        boolean isUnchanged(long slot, long word, MemorySegment entries, long entry, long header) {
            return isUnchanged(slot, word) && entries.get(LONG, entry) == header;
        }
    }

    /// Returns the value of a key.
    public <K, V> V get(RecordMapper<K> keys, K key, RecordMapper<V> values, V missing) {
        MemorySegment written = tryWrite(keys, key);
        if (written == null) {
            return missing;
        }
        V value = get(OutOfLine.CALLS, written, values, missing);
        scratch.giveBack(written);
        return value;
    }

    /// Returns the value of a key. The key need not become an object if this method is not inlined: see [OutOfLine].
    private <V> V get(int calls, MemorySegment key, RecordMapper<V> values, V missing) {
        if (calls > 0) {
            return get(calls - 1, key, values, missing);
        }
        long hash = hash(key);
        while (true) {
            Table table = table();
            long slot = search(table, key, hash);
            if (slot < 0) {
                VarHandle.loadLoadFence();
                if (table.isCurrent()) {
                    return missing;
                }
                continue;
            }
            long word = (long) LONG_HANDLE.getAcquire(table.memory, slot);
            long entry = EntryGroups.entry(word);
            MemorySegment memory = reach(table, entry);
            if (memory == null) {
                continue;
            }
            long header = (long) LONG_HANDLE.getAcquire(memory, entry);
            if (!isKey(memory, entry, key)) {
                continue;
            }
            V value;
            try {
                value = values.get(memory, entry + valueOffset);
            } catch (RuntimeException e) {
                if (table.isUnchanged(slot, word, memory, entry, header)) {
                    throw e;
                }
                continue;
            }
            if (table.isUnchanged(slot, word, memory, entry, header)) {
                return value;
            }
        }
    }

    /// Whether there is a key.
    public <K> boolean containsKey(RecordMapper<K> keys, K key) {
        MemorySegment written = tryWrite(keys, key);
        if (written == null) {
            return false;
        }
        boolean isPresent = containsKey(OutOfLine.CALLS, written);
        scratch.giveBack(written);
        return isPresent;
    }

    private boolean containsKey(int calls, MemorySegment key) {
        if (calls > 0) {
            return containsKey(calls - 1, key);
        }
        long hash = hash(key);
        while (true) {
            Table table = table();
            boolean isPresent = search(table, key, hash) >= 0;
            VarHandle.loadLoadFence();
            if (table.isCurrent()) {
                return isPresent;
            }
        }
    }

    /// Finds a key in a table that nobody changes meanwhile.
    ///
    /// @param key memory with the key at its offset in an entry
    /// @return the offset of its slot, or -1
    long find(Table table, MemorySegment key, long hash) {
        MemorySegment memory = table.memory;
        long tag = TagGroups.tag(hash);
        long passed = EntryGroups.passedBit(hash);
        long home = table.group(hash);
        long group = home;
        do {
            long tags = memory.get(LONG, group);
            for (long matches = EntryGroups.matches(tags, tag); matches != 0; matches &= matches - 1) {
                long slot = EntryGroups.slot(group, TagGroups.slot(matches));
                long entry = entry(table, slot);
                if (isKey(memory, entry, key)) {
                    return slot;
                }
            }
            if ((tags & passed) == 0) {
                return -1;
            }
            group = table.next(group);
        } while (group != home);
        return -1;
    }

    /// Returns the entry of a slot in a table that nobody changes meanwhile.
    ///
    /// @throws IllegalStateException if it is not behind the header, or not in the memory
    long entry(Table table, long slot) {
        long entry = EntryGroups.entry(table.memory.get(LONG, slot));
        if (entry < StructureFormat.BYTE_SIZE || entry > table.limit) {
            throw damaged("entry=0x" + Long.toHexString(entry));
        }
        return entry;
    }

    /// Finds a key in a table that may be changed meanwhile. If the table is current afterwards, it has contained the
    /// key, or has not, at some time during the call.
    ///
    /// @return the offset of its slot, or -1
    private long search(Table table, MemorySegment key, long hash) {
        MemorySegment memory = table.memory;
        long tag = TagGroups.tag(hash);
        for (long probe = 0; probe <= table.mask; probe++) {
            long group = table.group(hash + probe);
            long tags = (long) LONG_HANDLE.getAcquire(memory, group);
            for (long matches = EntryGroups.matches(tags, tag); matches != 0; matches &= matches - 1) {
                long slot = EntryGroups.slot(group, TagGroups.slot(matches));
                if (refersTo(table, slot, key)) {
                    return slot;
                }
            }
            if ((tags & EntryGroups.passedBit(hash)) == 0) {
                return -1;
            }
        }
        return -1;
    }

    /// Whether a slot refers to an entry with a key.
    private boolean refersTo(Table table, long slot, MemorySegment key) {
        while (true) {
            long word = (long) LONG_HANDLE.getAcquire(table.memory, slot);
            long entry = EntryGroups.entry(word);
            MemorySegment memory = reach(table, entry);
            if (memory == null) {
                return false;
            }
            boolean isKey = isKey(memory, entry, key);
            // The entry may have become free, and another entry, while its key was compared.
            boolean isUsed = table.isUsed(slot);
            if (table.memory.get(LONG, slot) == word) {
                return isKey && isUsed;
            }
        }
    }

    private boolean isKey(MemorySegment memory, long entry, MemorySegment key) {
        long at = entry + keyOffset;
        for (int word = 0; word < keyWords; word++) {
            if (memory.get(LONG, at + word * 8L) != key.get(LONG, keyOffset + word * 8L)) {
                return false;
            }
        }
        return true;
    }

    /// Passes the records of each entry to an action. Entries that are added, removed or changed meanwhile may or may
    /// not be seen.
    public <K, V> void forEach(RecordMapper<K> keys, RecordMapper<V> values, BiConsumer<? super K, ? super V> action) {
        EntryWalk<K, V> walk = new EntryWalk<>(this, keys, values);
        while (walk.moveNext()) {
            action.accept(walk.key(), walk.value());
        }
    }

    /// The number of entries.
    public long size() {
        return memory.segment().get(LONG, TagGroups.COUNT);
    }

    /// Writes a key to look it up.
    ///
    /// @return memory with the key at its offset in an entry; null if the key does not fit, so that no such key was put
    <K> @Nullable MemorySegment tryWrite(RecordMapper<K> keys, K key) {
        Objects.requireNonNull(key, "key");
        MemorySegment written = scratch.take();
        try {
            keys.set(written, keyOffset, key);
        } catch (IllegalArgumentException e) {
            scratch.giveBack(written);
            return null;
        }
        return written;
    }

    void giveBack(MemorySegment written) {
        scratch.giveBack(written);
    }

    /// The hash of the key at its offset in an entry.
    long hash(MemorySegment entry) {
        return hash(entry, 0);
    }

    long hash(MemorySegment memory, long entry) {
        return EntryGroups.hash(memory, entry + keyOffset, keyWords, seed);
    }

    /// The table that the root refers to now.
    Table table() {
        return table(table, TagGroups.root(table.memory));
    }

    /// The table that the root refers to, in the thread that changes the map.
    Table ownTable() {
        return table(table, table.memory.get(LONG, TagGroups.ROOT));
    }

    private Table table(Table known, long root) {
        if (root == known.root) {
            return known;
        }
        Table present = table(root);
        table = present;
        return present;
    }

    private Table table(long root) {
        long offset = TagGroups.offset(root);
        int log = TagGroups.log(root);
        if (log > LARGEST_LOG || offset < StructureFormat.BYTE_SIZE) {
            throw damaged("root=0x" + Long.toHexString(root));
        }
        MemorySegment segment = memory.segment(offset + EntryGroups.byteSize(log));
        return new Table(segment, root, offset, (1L << log) - 1, segment.byteSize() - layout.byteSize());
    }

    /// Returns memory that contains an entry, or null if the table is no longer current, so that its slots have no
    /// meaning.
    @Nullable
    MemorySegment reach(Table table, long entry) {
        return entry <= table.limit ? table.memory : reachBeyond(table, entry);
    }

    private @Nullable MemorySegment reachBeyond(Table table, long entry) {
        VarHandle.loadLoadFence();
        if (!table.isCurrent()) {
            return null;
        }
        MemorySegment larger = memory.segment(entry + layout.byteSize());
        this.table = new Table(larger, table.root, table.offset, table.mask, larger.byteSize() - layout.byteSize());
        return larger;
    }

    /// Forgets the size of the memory, after the memory of this process has grown.
    Table grown() {
        Table present = table(TagGroups.root(table.memory));
        table = present;
        return present;
    }

    IllegalStateException damagedEntry(long entry) {
        return damaged(
                "entry=0x" + Long.toHexString(entry) + ", whose check is wrong; the owner of the image drops it by"
                        + " InfiniteArena.repairStructure(name), before it opens the map");
    }

    String name() {
        return memory.name();
    }

    private IllegalStateException damaged(String what) {
        return StructureFormat.damaged(memory.name(), what);
    }
}
