package dev.arenakit.tool;

import java.io.IOException;

/// A form in which an image is written for other programs.
///
/// Each form is a class of its own, made by its option in [ExportForms].
interface ExportForm {
    /// Writes what was asked for. What cannot be written is reported, and the rest follows.
    ///
    /// @return whether all could be written
    /// @throws IOException          from the image, or an [Output.Failure]
    /// @throws ExportUsageException when the form needs something else to be asked for; nothing has been written
    boolean write(Export export) throws IOException;
}
