package dev.arenakit.mapped.internal.entries;

import dev.arenakit.mapped.StructureState;
import dev.arenakit.mapped.internal.structure.StructureFormat;
import dev.arenakit.mapped.internal.table.LongGroups;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

import static dev.arenakit.mapped.internal.structure.StructureFormat.INT;
import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;

/// Reads the entries of a map from longs to longs. [LongGroups] describes the format. The position of an entry is its
/// offset in the memory.
public final class LongEntryReader implements EntryReader {
    private static final int ENTRY = 2 * Long.BYTES;
    /// The number of times that a group is read. An owner cannot change it at each of them by chance.
    private static final int TRIES = 1 << 10;

    private final EntrySource source;

    /// @throws IOException if the structure is damaged
    public LongEntryReader(EntrySource source) throws IOException {
        this.source = source;
        int key = source.header().get(INT, StructureFormat.KEY_SIZE);
        int value = source.header().get(INT, StructureFormat.VALUE_SIZE);
        if (source.type().byteSize() != ENTRY || source.type().members().getLast().byteOffset() != Long.BYTES
                || key != Long.BYTES || value != Long.BYTES) {
            throw source.damaged("keyByteSize=" + key + ", valueByteSize=" + value + ", recorded="
                    + source.type().byteSize());
        }
    }

    @Override
    public long recordedCount() throws IOException {
        // The number is only as good as the table.
        long most = new StoredTable(source).groups * LongGroups.SLOTS;
        long count = source.current(LongGroups.COUNT);
        return count <= most ? count : -1;
    }

    @Override
    public EntryBatch entries() throws IOException {
        return new Groups();
    }

    @Override
    public void read(long position, MemorySegment into) throws IOException {
        source.bytes().read(position, into.asSlice(0, ENTRY));
    }

    @Override
    public long check(Consumer<? super String> problems) throws IOException {
        return new LongTableCheck(source, problems).check();
    }

    /// Reads the groups of a table in their order.
    private final class Groups extends EntryBatch {
        private final StoredTable table = new StoredTable(source);
        private final MemorySegment groups = table.newWindow();
        private final MemorySegment again = table.newWindow();
        private final long seed = source.header().get(LONG, StructureFormat.SEED);
        private final boolean isLost = source.state() == StructureState.LOST;
        /// After a kill, a check can be late.
        private final boolean isChecked = isLost || (source.state() == StructureState.CLOSED && !source.mayChange());

        Groups() throws IOException {
            positions = new long[(int) (groups.byteSize() / StoredTable.GROUP) * LongGroups.SLOTS];
            entries = MemorySegment.ofArray(new long[positions.length * ENTRY / Long.BYTES]);
        }

        @Override
        public boolean next() throws IOException {
            count = 0;
            while (count == 0 && table.next()) {
                table.read(groups);
                if (source.mayChange()) {
                    table.read(again);
                    for (long group = 0; group < table.byteSize(); group += StoredTable.GROUP) {
                        settle(group);
                    }
                    if (source.current(LongGroups.ROOT) != table.root) {
                        throw source.changed("Structure has got another table");
                    }
                }
                for (long group = 0; group < table.byteSize(); group += StoredTable.GROUP) {
                    add(group);
                }
            }
            return count > 0;
        }

        /// Reads a group until it is twice the same. No pair was replaced by another pair then, because the group has
        /// the same version.
        private void settle(long group) throws IOException {
            MemorySegment first = groups.asSlice(group, StoredTable.GROUP);
            MemorySegment second = again.asSlice(group, StoredTable.GROUP);
            for (int i = 0; first.mismatch(second) >= 0; i++) {
                if (i == TRIES) {
                    throw source.changed("Structure was changed all the time");
                }
                first.copyFrom(second);
                source.bytes().read(table.offset() + group, second);
            }
        }

        private void add(long group) throws IOException {
            if (isChecked && !LongGroups.isIntact(groups, group)) {
                if (isLost) {
                    return;
                }
                throw source.damaged("check of a group is wrong, offset=0x"
                        + Long.toHexString(table.offset() + group) + "; " + StructureFormat.REPAIR);
            }
            for (int slot = 0; slot < LongGroups.SLOTS; slot++) {
                long pair = LongGroups.pair(group, slot);
                if (LongGroups.isUsed(groups, pair) && (!isLost || LongGroups.hasItsTag(groups, pair, seed))) {
                    MemorySegment.copy(groups, pair, entries, (long) count * ENTRY, ENTRY);
                    positions[count++] = table.offset() + pair;
                }
            }
        }
    }
}
