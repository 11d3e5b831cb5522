package dev.arenakit.collection;

import dev.arenakit.internal.collection.CollectionMessages;
import dev.arenakit.internal.collection.LongSlots;
import dev.arenakit.internal.collection.SlotWalk;
import java.util.ConcurrentModificationException;

/// The operations of a set or map whose keys are numbers that do not depend on the types of keys and values.
abstract class NumberTable implements AutoCloseable {
    final LongSlots slots;
    private final String contents;

    /// @param contents the word for elements or entries
    NumberTable(LongSlots slots, String contents) {
        this.slots = slots;
        this.contents = contents;
    }

    /// Moves to the smallest table for the present contents. The next addition makes the table grow again. If the
    /// allocator cannot free, such as `Arena.ofConfined()`, the table remains.
    public void shrink() {
        slots.shrink();
    }

    /// Removes all elements or entries. The table keeps its size.
    public void clear() {
        slots.clear();
    }

    /// {@return the number of elements or entries}
    public long size() {
        return slots.size();
    }

    /// {@return whether the size is 0}
    public boolean isEmpty() {
        return size() == 0;
    }

    /// {@return the size of the table in bytes}
    public long byteSize() {
        return slots.byteSize();
    }

    /// Releases the memory of the table if this object owns it. Further calls have no effect.
    ///
    /// @throws IllegalStateException if the memory is in use, for example by a native call; this object is closed, and
    ///                               a further call tries again to release its memory
    /// @throws WrongThreadException  if the memory is confined to another thread; nothing has changed
    @Override
    public void close() {
        slots.close();
    }

    /// {@return the number of elements or entries, and the size of the table}
    @Override
    public String toString() {
        return CollectionMessages.of(this, slots::size, contents, slots::byteSize);
    }

    /// The operations of a cursor that do not depend on types.
    abstract static class WalkCursor {
        final SlotWalk walk;

        WalkCursor(NumberTable table) {
            walk = new SlotWalk(table.slots);
        }

        /// Moves to the next element or entry.
        ///
        /// @return whether there is one
        /// @throws ConcurrentModificationException if something has been added, or removed other than by the cursor,
        ///                                         since the cursor was created
        public boolean moveNext() {
            return walk.moveNext();
        }

        /// Removes the present element or entry. The cursor is between two of them then, and [#moveNext()] moves to the
        /// next one.
        ///
        /// @throws IllegalStateException           if the cursor is not at an element or entry
        /// @throws ConcurrentModificationException if something has been added, or removed otherwise, since the cursor
        ///                                         was created
        public void remove() {
            walk.remove();
        }
    }
}
