package dev.arenakit.tool;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import java.io.IOException;

import static java.nio.charset.StandardCharsets.UTF_8;

/// What is exported, and where it goes.
///
/// @param streams     whose output takes the export
/// @param image       the image
/// @param allocations those that were asked for
/// @param target      behind the output
record Export(Streams streams, ArenaImage image, ExportedAllocations allocations, ExportTarget target) {
    /// The part of the export that is in one data file, which a form needs that is about a data file.
    ///
    /// @param option of the form
    /// @throws ExportUsageException when it is in several
    /// @throws IOException          when there is nothing, or more than programs make something of
    Export inOneDataFile(String option) throws IOException {
        return new Export(streams, image, allocations.inOneFile(option), target);
    }

    /// The number of the one data file.
    int dataFile() {
        return allocations.file().orElseThrow();
    }

    /// Writes text, in UTF-8 wherever it goes.
    void print(String text) throws IOException {
        streams.out().write(text.getBytes(UTF_8));
    }

    /// Reports what is wrong about an allocation.
    void complain(Allocation allocation, String reason) {
        streams.complain(allocation.label() + ": " + reason);
    }

    /// The name of the image, in which nothing acts.
    String imageName() {
        return Streams.printable(String.valueOf(image.base().getFileName()));
    }

    /// The name of a data file, in which nothing acts.
    String fileName(int number) {
        return Streams.printable(String.valueOf(image.file(number).getFileName()));
    }
}
