package dev.arenakit.mapped.internal.table;

import dev.arenakit.collection.LongLongConsumer;
import dev.arenakit.mapped.internal.structure.AttachedMemory;
import dev.arenakit.mapped.internal.structure.StructureFormat;
import dev.arenakit.mapped.internal.structure.StructureKind;
import dev.arenakit.mapped.internal.structure.StructureMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.ConcurrentModificationException;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;
import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG_HANDLE;
import static dev.arenakit.mapped.internal.structure.StructureFormat.WORD;

/// Reads a map from longs to longs, also while another thread or process changes it. [LongGroups] describes the format.
/// Any number of threads may use an instance.
public final class LongTableReader {
    private final StructureMemory memory;
    final long seed;
    private Table table;

    LongTableReader(StructureMemory memory) {
        this.memory = memory;
        seed = memory.segment().get(LONG, StructureFormat.SEED);
        table = table(LongGroups.root(memory.segment()));
    }

    /// Opens a map that another arena has open, or has left.
    public static LongTableReader attach(String name, AttachedMemory.Mapping mapping) throws IOException {
        AttachedMemory memory = AttachedMemory.open(name, StructureKind.LONG_MAP, mapping);
        if (StructureFormat.isLost(memory.segment())) {
            throw StructureFormat.lost(name);
        }
        return new LongTableReader(memory);
    }

    /// A table.
    ///
    /// @param memory the memory, which contains the table
    /// @param root   the root that refers to it
    /// @param offset its offset in the memory
    /// @param mask   the number of its groups minus 1
    record Table(MemorySegment memory, long root, long offset, long mask) {
        long group(long number) {
            return offset + ((number & mask) << LongGroups.GROUP_SHIFT);
        }

        long next(long group) {
            return offset + ((group - offset + LongGroups.GROUP_BYTE_SIZE) & (mask << LongGroups.GROUP_SHIFT));
        }

        long byteSize() {
            return (mask + 1) << LongGroups.GROUP_SHIFT;
        }

        boolean isCurrent() {
            return memory.get(LONG, LongGroups.ROOT) == root;
        }
    }

    /// Returns the value of a key.
    public long get(long key, long missing) {
        return get(key, missing, false);
    }

    /// Whether there is a value for a key.
    public boolean contains(long key) {
        return get(key, 0, true) != 0;
    }

    /// @param isOnlySought whether the result is 1, instead of the value
    private long get(long key, long missing, boolean isOnlySought) {
        long hash = hash(key);
        while (true) {
            Table table = table();
            MemorySegment memory = table.memory;
            long pair = find(table, key, hash);
            long group = LongGroups.group(Math.max(0, pair));
            long tags = (long) LONG_HANDLE.getAcquire(memory, group);
            // The pair may be another one by now, or none yet.
            boolean isFound = pair >= 0 && LongGroups.isUsed(tags, pair) && memory.get(LONG, pair) == key;
            long value = isFound && !isOnlySought ? memory.get(LONG, pair + LongGroups.VALUE) : 1;
            VarHandle.loadLoadFence();
            if (table.isCurrent() && (pair < 0
                    || (isFound && LongGroups.version(memory.get(LONG, group)) == LongGroups.version(tags)))) {
                return pair < 0 ? missing : value;
            }
        }
    }

    /// Finds a key in a table that nobody changes meanwhile. Otherwise, the pair may be removed already.
    ///
    /// @return the offset of its pair, or -1
    static long find(Table table, long key, long hash) {
        /* Beyond the caches, a search with fewer instructions is faster, because the processor starts more of the
         * following searches while it waits for memory. Most pairs are in the group of their hash. */
        MemorySegment memory = table.memory;
        long group = table.group(hash);
        long tags = memory.get(WORD, group);
        long matches = LongGroups.matches(tags, LongGroups.tag(hash));
        if (matches != 0) {
            long pair = LongGroups.pair(group, LongGroups.slot(matches));
            if (memory.get(WORD, pair) == key) {
                return pair;
            }
        } else if ((tags & LongGroups.passedBit(hash)) == 0) {
            return -1;
        }
        return findFurther(table, key, hash);
    }

    private static long findFurther(Table table, long key, long hash) {
        MemorySegment memory = table.memory;
        long tag = LongGroups.tag(hash);
        long passed = LongGroups.passedBit(hash);
        long home = table.group(hash);
        long group = home;
        do {
            long tags = memory.get(WORD, group);
            for (long matches = LongGroups.matches(tags, tag); matches != 0; matches &= matches - 1) {
                long pair = LongGroups.pair(group, LongGroups.slot(matches));
                if (memory.get(WORD, pair) == key) {
                    return pair;
                }
            }
            if ((tags & passed) == 0) {
                return -1;
            }
            group = table.next(group);
        } while (group != home);
        return -1;
    }

    /// Passes each pair to an action. Pairs that are added, removed or changed meanwhile may or may not be seen.
    ///
    /// @throws ConcurrentModificationException if the table was replaced meanwhile
    public void forEach(LongLongConsumer action) {
        Table table = table();
        long[] pairs = new long[2 * LongGroups.SLOTS];
        for (long number = 0; number <= table.mask; number++) {
            int length = copy(table.memory, table.group(number), pairs);
            VarHandle.loadLoadFence();
            if (!table.isCurrent()) {
                throw new ConcurrentModificationException("Map has got a larger table: name=" + memory.name()
                        + "; begin the iteration again");
            }
            for (int i = 0; i < length; i += 2) {
                action.accept(pairs[i], pairs[i + 1]);
            }
        }
    }

    /// Copies the pairs of a group.
    ///
    /// @return the number of longs
    private static int copy(MemorySegment memory, long group, long[] pairs) {
        while (true) {
            long tags = (long) LONG_HANDLE.getAcquire(memory, group);
            int length = 0;
            for (int slot = 0; slot < LongGroups.SLOTS; slot++) {
                long pair = LongGroups.pair(group, slot);
                if (LongGroups.isUsed(tags, pair)) {
                    pairs[length++] = memory.get(LONG, pair);
                    pairs[length++] = memory.get(LONG, pair + LongGroups.VALUE);
                }
            }
            VarHandle.loadLoadFence();
            if (LongGroups.version(memory.get(LONG, group)) == LongGroups.version(tags)) {
                return length;
            }
        }
    }

    /// The number of pairs.
    public long size() {
        return memory.segment().get(LONG, LongGroups.COUNT);
    }

    long hash(long key) {
        return LongGroups.hash(key, seed);
    }

    /// The table that the root refers to now.
    Table table() {
        Table present = table;
        long root = LongGroups.root(present.memory);
        if (root != present.root) {
            present = table(root);
            table = present;
        }
        return present;
    }

    private Table table(long root) {
        if (!LongGroups.isRoot(root)) {
            throw memory.damaged("root=0x" + Long.toHexString(root)
                    + "; nothing was changed: copy the image from a backup");
        }
        long offset = LongGroups.offset(root);
        int log = LongGroups.log(root);
        return new Table(memory.segment(offset + LongGroups.byteSize(log)), root, offset, (1L << log) - 1);
    }
}
