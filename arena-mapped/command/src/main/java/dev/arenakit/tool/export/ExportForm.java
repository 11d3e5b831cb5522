package dev.arenakit.tool.export;

import dev.arenakit.tool.console.Output;
import java.io.IOException;

/// A form in which an image is exported for other programs, chosen by [ExportFormOptions].
interface ExportForm {
    /// Writes the export. What cannot be written is reported, and the rest is written.
    ///
    /// @return whether everything could be written
    /// @throws IOException          if the image cannot be read, or an [Output.Failure]
    /// @throws ExportUsageException if the form needs other arguments; nothing has been written
    boolean write(ExportRequest export) throws IOException;
}
