package dev.arenakit.tool.export;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.layout.text.LayoutParseException;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.console.CommandFrame;
import dev.arenakit.tool.console.ErrorText;
import dev.arenakit.tool.console.Output;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.AllocationSequence;
import dev.arenakit.tool.image.AllocationStructs;
import dev.arenakit.tool.image.FileTruncation;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import static java.nio.charset.StandardCharsets.UTF_8;

/// A request to export allocations of an image.
///
/// @param frame   makes the exception for a form that needs other arguments
/// @param streams the streams; the export is written to their output
/// @param image   the image
/// @param all     all allocations; each pass reads the catalog
/// @param named   the allocations that the user has named; none for all allocations
/// @param zeros   makes holes in the output if it can have holes, and otherwise writes zeros
record ExportRequest(CommandFrame frame, Streams streams, ArenaImage image, AllocationSequence all,
        List<Allocation> named, Zeros zeros) {
    /// Writes zeros.
    @FunctionalInterface
    interface Zeros {
        void write(long byteSize) throws IOException;
    }

    /// Writes an export.
    @FunctionalInterface
    interface Work {
        void run() throws IOException;
    }

    /// Returns the only allocation, for a form that is for one.
    ///
    /// @param option the option of the form, for the message
    Allocation only(String option) {
        if (named.size() != 1) {
            throw frame.usageError("Option '" + option + "' writes one allocation: give one NAME");
        }
        return named.getFirst();
    }

    /// Reads the named allocations, or else all live allocations.
    void forEachLive(AllocationSequence.Consumer consumer) throws IOException {
        if (named.isEmpty()) {
            all.forEachLive(consumer);
        }
        for (Allocation allocation : named) {
            consumer.accept(allocation);
        }
    }

    /// Returns the recorded type of an allocation, for a form that needs it.
    StructType type(Allocation allocation) throws IOException {
        try {
            return image.type(allocation)
                    .orElseThrow(() -> new IOException(allocation.label() + ": its type is not recorded: use --bytes"));
        } catch (LayoutParseException e) {
            throw new IOException(allocation.label() + ": its type cannot be read: " + e.getMessage(), e);
        }
    }

    /// The structs of an allocation by its recorded type.
    AllocationStructs structs(Allocation allocation) throws IOException {
        return AllocationStructs.recorded(image, allocation, type(allocation));
    }

    /// Returns the source of all exported bytes, whose reading is shown.
    ExtentSource reading(ExtentSource source, long byteSize) {
        return streams.progress().reading(source, "exporting", byteSize);
    }

    /// Writes text in UTF-8, whatever the charset of the terminal is.
    void print(String text) throws IOException {
        streams.out().write(text.getBytes(UTF_8));
    }

    /// Reports a problem of an allocation.
    void report(Allocation allocation, String reason) {
        streams.report(allocation.label() + ": " + reason);
    }

    /// Exports the bytes of one allocation. If they cannot be read, the exception names the allocation.
    ///
    /// @return whether the allocation has all its bytes; otherwise, this is reported
    boolean one(Allocation allocation, Work work) throws IOException {
        try {
            work.run();
        } catch (Output.Failure e) {
            throw e;
        } catch (IOException e) {
            throw new IOException(allocation.label() + ": " + ErrorText.of(e), e);
        }
        Optional<String> truncation = FileTruncation.message(image, allocation);
        truncation.ifPresent(message -> report(allocation, message));
        return truncation.isEmpty();
    }

    /// Exports structs of one allocation.
    ///
    /// @return whether the allocation has all of them; otherwise, this is reported
    boolean one(AllocationStructs structs, Work work) throws IOException {
        boolean isWhole = one(structs.allocation(), work);
        structs.loss().ifPresent(message -> report(structs.allocation(), message));
        return isWhole && structs.loss().isEmpty();
    }

    /// The name of the image, safe for terminals.
    String imageName() {
        return PrintableText.of(String.valueOf(image.base().getFileName()));
    }

    /// The name of a data file, safe for terminals.
    String fileName(int number) {
        return PrintableText.of(String.valueOf(image.file(number).getFileName()));
    }

    /// Returns text that is safe in a C comment and on a terminal: names from the image cannot end the comment.
    static String comment(String text) {
        return PrintableText.of(text).replace("*/", "* /").replace("/*", "/ *");
    }

    /// Returns the place of an allocation, for use after its type.
    String place(Allocation allocation) {
        String freed = allocation.isLive() ? "" : ", freed";
        if (allocation.file() < 0) {
            return ", empty" + freed;
        }
        return String.format(Locale.ROOT, " in %s at 0x%x, %d bytes%s", fileName(allocation.file()),
                allocation.byteOffset(), allocation.byteSize(), freed);
    }
}
