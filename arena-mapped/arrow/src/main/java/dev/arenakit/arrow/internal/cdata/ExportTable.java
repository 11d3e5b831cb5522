package dev.arenakit.arrow.internal.cdata;

import org.jspecify.annotations.Nullable;

/// All exports of this process that are not released, by their numbers: consumers know a struct by its number alone.
///
/// Releasing an export needs no heap memory: the exports themselves are the links of the table.
final class ExportTable {
    private static final int FIRST_SLOTS = 64;

    private static @Nullable Export[] slots = new @Nullable Export[FIRST_SLOTS];
    private static long lastId;
    private static int size;

    private ExportTable() {}

    /// Adds an export.
    ///
    /// @param lease  is released with the export, or by the caller if this method throws
    /// @param stream is closed with the export
    static synchronized Export add(@Nullable MemoryLease lease, @Nullable StructStream stream) {
        if (size == slots.length) {
            grow();
        }
        Export export = new Export(lastId + 1, lease, stream);
        lastId++;
        link(slots, export);
        size++;
        return export;
    }

    static synchronized void remove(Export export) {
        int slot = (int) export.id & (slots.length - 1);
        Export before = null;
        for (Export at = slots[slot]; at != null; at = at.next) {
            if (at == export) {
                if (before == null) {
                    slots[slot] = at.next;
                } else {
                    before.next = at.next;
                }
                size--;
                return;
            }
            before = at;
        }
    }

    /// Returns the export of a struct, or null if it is released.
    ///
    /// @param number the number of the struct
    static synchronized @Nullable Export find(long number) {
        long id = number >>> Export.STRUCT_BITS;
        for (Export at = slots[(int) id & (slots.length - 1)]; at != null; at = at.next) {
            if (at.id == id) {
                return at;
            }
        }
        return null;
    }

    /// The number of exports.
    static synchronized int size() {
        return size;
    }

    private static void grow() {
        @Nullable
        Export[] larger = new @Nullable Export[2 * slots.length];
        for (Export first : slots) {
            Export at = first;
            while (at != null) {
                Export next = at.next;
                link(larger, at);
                at = next;
            }
        }
        slots = larger;
    }

    private static void link(@Nullable Export[] to, Export export) {
        int slot = (int) export.id & (to.length - 1);
        export.next = to[slot];
        to[slot] = export;
    }
}
