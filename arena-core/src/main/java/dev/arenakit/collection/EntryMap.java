package dev.arenakit.collection;

import dev.arenakit.internal.collection.CollectionMessages;
import dev.arenakit.internal.collection.bytes.EntryWalk;
import dev.arenakit.internal.collection.bytes.GroupedIndex;
import dev.arenakit.internal.collection.bytes.KeyText;
import java.lang.foreign.MemorySegment;

/// The operations of a map whose keys are bytes in memory that depend on neither keys nor values.
abstract class EntryMap implements AutoCloseable {
    private final GroupedIndex index;

    EntryMap(GroupedIndex index) {
        this.index = index;
    }

    /// {@return the number of entries}
    public long size() {
        return index.size();
    }

    /// {@return whether there are no entries}
    public boolean isEmpty() {
        return size() == 0;
    }

    /// {@return the size of the tables in bytes}
    public long byteSize() {
        return index.byteSize();
    }

    /// Removes all entries. The tables keep their sizes.
    public void clear() {
        index.clear();
    }

    /// Frees the memory, as the table in the description of [BytesLongMap] says. A second call has no effect.
    ///
    /// @throws IllegalStateException if memory is in use, for example by a native call; a further call tries again
    @Override
    public void close() {
        index.close();
    }

    @Override
    public String toString() {
        return CollectionMessages.of(this, this::size, "entries", this::byteSize);
    }

    /// Checks that a value was created by this map.
    @SuppressWarnings("ReferenceEquality") // A map is equal to itself only.
    void checkOwn(FoundValue value) {
        if (value.map != this) {
            throw new IllegalArgumentException("Value is one of another map: call newValue of this map, " + this);
        }
    }

    /// A value that is bytes in the memory of a map.
    abstract static class FoundValue {
        private final EntryMap map;
        MemorySegment readOnly;
        long offset;
        int byteSize;

        FoundValue(EntryMap map, MemorySegment readOnly) {
            this.map = map;
            this.readOnly = readOnly;
        }

        /// {@return a read-only segment that contains the value}
        public MemorySegment bytes() {
            return readOnly;
        }

        /// {@return the offset of the value in [#bytes()]}
        public long offset() {
            return offset;
        }

        /// {@return the size of the value in bytes}
        public int byteSize() {
            return byteSize;
        }

        /// {@return a copy of the value}
        public byte[] toArray() {
            return KeyText.toArray(readOnly, offset, byteSize);
        }

        /// {@return a read-only slice of the map's memory that is the value}
        public MemorySegment slice() {
            return readOnly.asSlice(offset, byteSize);
        }

        /// {@return the value as text, decoded from UTF-8}
        public String text() {
            return KeyText.decode(readOnly, offset, byteSize);
        }
    }

    /// The operations of a cursor that depend on neither keys nor values.
    abstract static class EntryCursor {
        final EntryWalk walk;

        EntryCursor(EntryWalk walk) {
            this.walk = walk;
        }

        /// Moves to the next entry.
        ///
        /// @return whether there is one
        public boolean moveNext() {
            return walk.moveNext();
        }

        /// {@return a read-only segment that contains key and value, the same one for all entries}
        public MemorySegment bytes() {
            return walk.bytes;
        }

        /// {@return the offset of the key in [#bytes()]}
        public long keyOffset() {
            return walk.keyOffset();
        }

        /// Removes the present entry. The cursor is between two entries then.
        ///
        /// @throws IllegalStateException if the cursor is not at an entry
        public void remove() {
            walk.remove();
        }
    }
}
