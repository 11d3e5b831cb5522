package dev.arenakit.tool;

import dev.arenakit.dump.FieldNotes;
import dev.arenakit.dump.HexDump;
import dev.arenakit.dump.LineNotes;
import dev.arenakit.layout.LayoutParseException;
import dev.arenakit.layout.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.Progress.Task;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Prints allocations of an image in hexadecimal. What cannot be printed is reported, and the others follow.
final class AllocationDump {
    private static final String COLOUR = "\u001b[36m";
    private static final String PLAIN = "\u001b[0m";

    private final Streams streams;
    private final ArenaImage image;
    private final HexDump dump;
    private final boolean annotate;
    private boolean failed;

    /// @param annotate whether fields are named
    AllocationDump(Streams streams, ArenaImage image, HexDump dump, boolean annotate) {
        this.streams = streams;
        this.image = image;
        this.dump = dump;
        this.annotate = annotate;
    }

    /// Prints allocations, under headings where there are several.
    ///
    /// @return whether all could be printed
    boolean print(Path base, List<String> names) throws IOException {
        ChosenAllocations named = new ChosenAllocations(streams, image, base);
        boolean isFirst = true;
        for (Allocation allocation : named.find(names)) {
            if (names.size() > 1) {
                streams.printHeading(allocation.label(), isFirst);
                isFirst = false;
            }
            print(allocation);
        }
        return !failed && !named.hasFailed();
    }

    private void print(Allocation allocation) throws IOException {
        HexDump noted = annotate ? notes(allocation).map(dump::withNotes).orElse(dump) : dump;
        try (Task _ = streams.progress().start("dumping " + allocation.label(), "bytes", streams.out()::byteCount)) {
            noted.print(image.source(allocation), streams.out().withoutFlush());
            Images.lost(image, allocation).ifPresent(lost -> fail(allocation, lost));
        } catch (Output.Failure e) {
            throw e;
        } catch (IOException e) {
            fail(allocation, Streams.reason(e));
        }
    }

    private void fail(Allocation allocation, String reason) {
        failed = true;
        streams.complain(allocation.label() + ": " + reason);
    }

    private Optional<LineNotes> notes(Allocation allocation) {
        try {
            Optional<StructType> type = image.type(allocation);
            if (type.isEmpty()) {
                streams.complain(allocation.label() + ": fields have no names, for its type is not recorded");
            }
            return type.map(FieldNotes::of).map(this::coloured);
        } catch (LayoutParseException e) {
            streams.complain(allocation.label() + ": its type cannot be read: " + e.getMessage());
            return Optional.empty();
        }
    }

    private LineNotes coloured(FieldNotes notes) {
        return !streams.ansi().enabled() ? notes : (byteOffset, byteCount) -> {
            String note = notes.note(byteOffset, byteCount);
            return note.isEmpty() ? note : COLOUR + note + PLAIN;
        };
    }
}
