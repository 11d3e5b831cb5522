package dev.arenakit.arrow.internal.cdata;

import org.jspecify.annotations.Nullable;

/// All exports of this process that are not released, by their numbers: consumers know a struct by its number alone.
///
/// Releasing an export needs no heap memory. The lower bits of a number are the slot of its export. A number whose slot
/// is used is skipped, so that each slot has at most one export, also after the table has grown.
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
        if (2 * size == slots.length) {
            @Nullable
            Export[] larger = new @Nullable Export[2 * slots.length];
            for (Export export : slots) {
                if (export != null) {
                    larger[slot(export.id, larger)] = export;
                }
            }
            slots = larger;
        }
        long id = lastId + 1;
        while (slots[slot(id, slots)] != null) {
            id++;
        }
        Export export = new Export(id, lease, stream);
        lastId = id;
        slots[slot(id, slots)] = export;
        size++;
        return export;
    }

    private static int slot(long id, @Nullable Export[] table) {
        return (int) id & (table.length - 1);
    }

    static synchronized void remove(Export export) {
        slots[slot(export.id, slots)] = null;
        size--;
    }

    /// Returns the export of a struct, or null if it is released.
    ///
    /// @param number the number of the struct
    static synchronized @Nullable Export find(long number) {
        long id = number >>> Export.STRUCT_BITS;
        Export found = slots[slot(id, slots)];
        return found != null && found.id == id ? found : null;
    }

    /// The number of exports.
    static synchronized int size() {
        return size;
    }
}
