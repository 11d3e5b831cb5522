package dev.arenakit.tool.export;

import dev.arenakit.tool.page.PageWriter;
import java.io.IOException;

/// The export of an image as one HTML page.
final class HtmlExport implements ExportForm {
    @Override
    public boolean write(ExportRequest export) throws IOException {
        if (!export.allocations().named().isEmpty() || export.allocations().file().isPresent()) {
            throw new ExportUsageException("--html shows a whole image: leave out names and --file");
        }
        new PageWriter(export.streams(), export.image(), PageWriter.CONTENTS).write(export.streams().out());
        return true;
    }
}
