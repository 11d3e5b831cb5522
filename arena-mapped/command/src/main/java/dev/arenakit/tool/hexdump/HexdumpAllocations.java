package dev.arenakit.tool.hexdump;

import dev.arenakit.dump.FieldNotes;
import dev.arenakit.dump.HexDump;
import dev.arenakit.dump.LineNotes;
import dev.arenakit.layout.text.LayoutParseException;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.console.AnsiCodes;
import dev.arenakit.tool.console.ErrorText;
import dev.arenakit.tool.console.Output;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.FileTruncation;
import dev.arenakit.tool.image.RequestedAllocations;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Dumps allocations of an image. If an allocation cannot be dumped, this is reported, and the next allocation follows.
final class HexdumpAllocations {
    private final Streams streams;
    private final ArenaImage image;
    private final HexDump dump;
    private final boolean annotate;
    private boolean failed;

    /// @param annotate whether each line names its fields
    HexdumpAllocations(Streams streams, ArenaImage image, HexDump dump, boolean annotate) {
        this.streams = streams;
        this.image = image;
        this.dump = dump;
        this.annotate = annotate;
    }

    /// Prints allocations. Several allocations have headings.
    ///
    /// @return whether all allocations could be printed
    boolean print(Path base, List<String> names) throws IOException {
        RequestedAllocations requested = new RequestedAllocations(streams, image, base);
        boolean isFirst = true;
        for (Allocation allocation : requested.find(names)) {
            if (names.size() > 1) {
                streams.printHeading(allocation.label(), isFirst);
                isFirst = false;
            }
            print(allocation);
        }
        return !failed && !requested.hasFailed();
    }

    private void print(Allocation allocation) throws IOException {
        HexDump noted = annotate ? notes(allocation).map(dump::withNotes).orElse(dump) : dump;
        try {
            noted.print(image.source(allocation), streams.out().withoutFlush());
            FileTruncation.message(image, allocation).ifPresent(message -> fail(allocation, message));
        } catch (Output.Failure e) {
            throw e;
        } catch (IOException e) {
            fail(allocation, ErrorText.of(e));
        }
    }

    private void fail(Allocation allocation, String reason) {
        failed = true;
        streams.report(allocation.label() + ": " + reason);
    }

    private Optional<LineNotes> notes(Allocation allocation) {
        try {
            Optional<StructType> type = image.type(allocation);
            if (type.isEmpty()) {
                streams.report(allocation.label() + ": its fields cannot be named, since its type is not recorded");
            }
            return type.map(FieldNotes::of).map(this::coloured);
        } catch (LayoutParseException e) {
            streams.report(allocation.label() + ": its type cannot be read: " + e.getMessage());
            return Optional.empty();
        }
    }

    private LineNotes coloured(FieldNotes notes) {
        return (byteOffset, byteCount) -> {
            String note = notes.note(byteOffset, byteCount);
            return note.isEmpty() ? note : streams.styled(AnsiCodes.CYAN, note);
        };
    }
}
