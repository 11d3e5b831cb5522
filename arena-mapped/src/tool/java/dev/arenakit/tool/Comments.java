package dev.arenakit.tool;

import dev.arenakit.mapped.Allocation;
import java.util.Locale;

/// Comments in what is exported, which end where they are meant to, whatever names hold.
final class Comments {
    private Comments() {}

    /// Text for a comment of C, in which nothing acts on a terminal either.
    static String text(String text) {
        return Streams.printable(text).replace("*/", "* /").replace("/*", "/ *");
    }

    /// Where an allocation is, for use behind what it is.
    static String place(Export export, Allocation allocation) {
        String freed = allocation.isLive() ? "" : ", freed";
        if (allocation.file() < 0) {
            return ", empty" + freed;
        }
        return String.format(Locale.ROOT, " in %s at 0x%x, %d bytes%s", export.fileName(allocation.file()),
                allocation.byteOffset(), allocation.byteSize(), freed);
    }
}
