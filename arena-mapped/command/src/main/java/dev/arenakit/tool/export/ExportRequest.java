package dev.arenakit.tool.export;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.structs.StructSelection;
import java.io.IOException;

import static java.nio.charset.StandardCharsets.UTF_8;

/// A request to export allocations of an image to a target.
///
/// @param streams     the streams; their output is the target's output
/// @param image       the image
/// @param allocations the allocations to export
/// @param target      the target
/// @param selection   the structs to export
record ExportRequest(Streams streams, ArenaImage image, ExportAllocations allocations, ExportTarget target,
        StructSelection selection) {
    /// Checks that all allocations are in one data file, for a form that describes one data file.
    ///
    /// @param option the option of the form, for the message
    /// @return the request for that data file
    /// @throws ExportUsageException if the allocations are in several data files
    /// @throws IOException          if there is no allocation, or too many
    ExportRequest inOneDataFile(String option) throws IOException {
        return new ExportRequest(streams, image, allocations.inOneFile(option), target, selection);
    }

    /// The number of the only data file.
    int dataFile() {
        return allocations.file().orElseThrow();
    }

    /// Writes text in UTF-8, whatever the charset of the terminal is.
    void print(String text) throws IOException {
        streams.out().write(text.getBytes(UTF_8));
    }

    /// Reports a problem of an allocation.
    void report(Allocation allocation, String reason) {
        streams.report(allocation.label() + ": " + reason);
    }

    /// The name of the image, safe for terminals.
    String imageName() {
        return PrintableText.of(String.valueOf(image.base().getFileName()));
    }

    /// The name of a data file, safe for terminals.
    String fileName(int number) {
        return PrintableText.of(String.valueOf(image.file(number).getFileName()));
    }
}
