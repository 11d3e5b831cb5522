package dev.arenakit.internal;

import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Tables of objects that each belong to a thread: an object is in the slot of the lowest bits of its thread's id.
///
/// There is no probing: ids are assigned in sequence and never reused, so that collisions are rare. On a collision the
/// table is doubled, up to a limit of its owner. A lookup takes a third of the code of a `ThreadLocal`.
///
/// All changes are made under a lock. A thread may look up its own object without the lock, because the thread itself
/// has added it.
public final class ThreadTable {
    private ThreadTable() {}

    /// An object that belongs to a thread.
    public interface Entry {
        long threadId();
    }

    /// The slot of a thread in a table.
    public static int slotOf(long threadId, int length) {
        return (int) threadId & (length - 1);
    }

    /// Returns a table of twice the length with the same objects.
    public static <T extends Entry> @Nullable T[] doubled(@Nullable T[] table) {
        @Nullable
        T[] larger = Arrays.copyOf(table, 2 * table.length);
        for (int i = 0; i < table.length; i++) {
            T entry = table[i];
            if (entry != null) {
                larger[i] = null;
                larger[slotOf(entry.threadId(), larger.length)] = entry;
            }
        }
        // A thread that sees the new table must also see its own object in it.
        VarHandle.releaseFence();
        return larger;
    }
}
