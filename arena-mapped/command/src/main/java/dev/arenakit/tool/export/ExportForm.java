package dev.arenakit.tool.export;

import dev.arenakit.tool.console.Output;
import java.io.IOException;

/// A form in which an image is exported for other programs.
interface ExportForm {
    /// Writes the export. Allocations that cannot be written are reported, and all other allocations are written.
    ///
    /// @return whether everything could be written
    /// @throws IOException if the image cannot be read; an [Output.Failure] if the output cannot be written
    /// @throws picocli.CommandLine.ParameterException if the form needs other arguments; nothing has been written
    boolean write(ExportRequest export) throws IOException;
}
