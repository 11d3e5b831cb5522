package dev.arenakit.mapped.internal.table;

import dev.arenakit.layout.RecordMapper;
import dev.arenakit.mapped.internal.table.EntryTableReader.Table;
import java.lang.foreign.MemorySegment;
import java.util.ConcurrentModificationException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG_HANDLE;

/// Moves over the entries of a map of records, in the order of its table.
final class EntryWalk<K, V> {
    private final EntryTableReader reader;
    private final RecordMapper<K> keys;
    private final RecordMapper<V> values;
    private final Table table;
    private long group = -1;
    private int number = EntryGroups.SLOTS;
    private long word;
    private @Nullable K key;
    private @Nullable V value;

    EntryWalk(EntryTableReader reader, RecordMapper<K> keys, RecordMapper<V> values) {
        this.reader = reader;
        this.keys = keys;
        this.values = values;
        table = reader.table();
    }

    /// Moves to the next entry.
    ///
    /// @return whether there is one
    /// @throws ConcurrentModificationException if the table was replaced meanwhile
    boolean moveNext() {
        while (true) {
            number++;
            if (number >= EntryGroups.SLOTS) {
                if (group == table.mask()) {
                    return false;
                }
                group++;
                number = 0;
            }
            if (read()) {
                return true;
            }
        }
    }

    /// Reads the entry of the slot.
    ///
    /// @return false if there is none
    private boolean read() {
        long slot = slot();
        while (true) {
            long tags = (long) LONG_HANDLE.getAcquire(table.memory(), EntryGroups.group(slot));
            word = (long) LONG_HANDLE.getAcquire(table.memory(), slot);
            if (EntryGroups.tag(tags, slot) == 0) {
                checkCurrent();
                return false;
            }
            long entry = EntryGroups.entry(word);
            MemorySegment memory = reader.reach(table, entry);
            if (memory == null) {
                throw replaced();
            }
            boolean isIntact = EntryGroups.isIntact(memory, entry, reader.layout.words());
            RuntimeException failure = null;
            if (isIntact) {
                try {
                    key = keys.get(memory, entry + reader.layout.keyOffset());
                    value = values.get(memory, entry + reader.layout.valueOffset());
                } catch (RuntimeException e) {
                    failure = e;
                }
            }
            if (isUnchanged()) {
                if (!isIntact) {
                    throw reader.damagedEntry(entry);
                }
                if (failure != null) {
                    throw failure;
                }
                return true;
            }
            checkCurrent();
        }
    }

    /// The slot of the entry.
    long slot() {
        return EntryGroups.slot(table.group(group), number);
    }

    /// Whether the map still contains the entry.
    boolean isUnchanged() {
        return table.isUnchanged(slot(), word);
    }

    K key() {
        return Objects.requireNonNull(key);
    }

    V value() {
        return Objects.requireNonNull(value);
    }

    private void checkCurrent() {
        if (!table.isCurrent()) {
            throw replaced();
        }
    }

    private ConcurrentModificationException replaced() {
        return new ConcurrentModificationException("Map has got another table: name=" + reader.name()
                + "; begin the iteration again");
    }
}
