package dev.arenakit.tool.export;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.tool.console.PrintableText;
import java.util.Locale;

/// Text for C comments. Names from the image cannot end such a comment.
final class ExportCComments {
    private ExportCComments() {}

    /// Returns text that is safe in a C comment and on a terminal.
    static String text(String text) {
        return PrintableText.of(text).replace("*/", "* /").replace("/*", "/ *");
    }

    /// Returns the place of an allocation, for use after its type.
    static String place(ExportRequest export, Allocation allocation) {
        String freed = allocation.isLive() ? "" : ", freed";
        if (allocation.file() < 0) {
            return ", empty" + freed;
        }
        return String.format(Locale.ROOT, " in %s at 0x%x, %d bytes%s", export.fileName(allocation.file()),
                allocation.byteOffset(), allocation.byteSize(), freed);
    }
}
