package dev.arenakit.tool.verify;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageIntegrity;
import dev.arenakit.mapped.ImageIntegrity.CheckedAllocations;
import dev.arenakit.mapped.ImageIntegrity.DamagedRange;
import dev.arenakit.mapped.Seal;
import dev.arenakit.tool.console.AnsiCodes;
import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.console.Counts;
import dev.arenakit.tool.console.JsonLines;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.console.Times;
import dev.arenakit.tool.image.AllocationSequence;
import dev.arenakit.tool.image.ImageFileSet;
import dev.arenakit.tool.image.ImageState;
import dev.arenakit.tool.image.RingState;
import dev.arenakit.tool.image.TypeNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/// Prints the results of checking images and rings, as lines for people or as JSON.
final class VerifyReport {
    /// The results for a ring.
    ///
    /// @param problems the number of problems, without notes
    /// @param records  the number of records that were not read by the reader, up to the first problem
    /// @param state    the state, unless it could not be read
    record RingSums(long problems, long records, Optional<RingState> state) {
        private OptionalLong number(ToLongFunction<RingState> value) {
            return state.stream().mapToLong(value).findFirst();
        }
    }

    /// The results for an image.
    ///
    /// @param problems the number of problems, without notes
    /// @param hasData  whether the contents of sealed allocations were read
    /// @param compared the number of allocations that were compared with their seals
    /// @param unsealed the number of live allocations without a seal
    /// @param structures the number of structures, whose entries were checked
    /// @param entries    the number of their entries
    record Sums(long problems, boolean hasData, long compared, long unsealed, long structures, long entries) {}

    private final Streams streams;
    private final Optional<JsonLines> lines;

    /// @param isJson whether to print JSON for programs, and not lines for people
    VerifyReport(Streams streams, boolean isJson) {
        this.streams = streams;
        lines = isJson ? Optional.of(new JsonLines(streams, "verify")) : Optional.empty();
    }

    /// Reports a problem or a note.
    void problem(Path base, ImageIntegrity.Problem problem) throws IOException {
        if (lines.isPresent()) {
            write(problem.isNote() ? "note" : "problem", base, problem.allocation(),
                    json -> json.writeStringProperty("description", problem.description()));
            return;
        }
        String where = problem.allocation().map(allocation -> allocation.label() + ": ").orElse("");
        String text = PrintableText.of(where + problem.description());
        print(base, problem.isNote() ? "note: " + text : streams.styled(AnsiCodes.RED, text));
    }

    /// Reports bytes of an allocation that differ from its seal.
    void damage(ArenaImage image, Path base, Allocation allocation, DamagedRange range, Seal seal)
            throws IOException {
        if (lines.isPresent()) {
            write("damage", base, Optional.of(allocation), json -> {
                json.writeNumberProperty("byteOffset", range.byteOffset());
                json.writeNumberProperty("byteSize", range.end() - range.byteOffset());
                json.writeStringProperty("sealed", seal.time().toString());
            });
            return;
        }
        print(base, PrintableText.of(allocation.label()) + ": " + streams.styled(AnsiCodes.RED,
                "bytes 0x" + Long.toHexString(range.byteOffset()) + "..0x" + Long.toHexString(range.end() - 1)
                        + " differ from the seal of " + Times.format(seal.time())
                        + structs(image, allocation, range)));
    }

    /// Prints the end of the results for an image.
    void end(ArenaImage image, Path base, CheckedAllocations checked, Sums sums) throws IOException {
        ImageState state = ImageState.of(image);
        long sealed = sealed(image, checked);
        if (lines.isPresent()) {
            lines.get().write("image", json -> {
                ImageFileSet.writeJson(json, base);
                json.writeNumberProperty("problems", sums.problems());
                json.writeNumberProperty("allocations", checked.count());
                json.writeNumberProperty("byteSize", checked.byteSize());
                json.writeNumberProperty("sealed", sealed);
                json.writeBooleanProperty("data", sums.hasData());
                state.writeJson(json);
            });
            return;
        }
        String contents = Counts.of(checked.count(), "allocation") + " of " + ByteSizes.format(checked.byteSize())
                + (sums.structures() == 0
                        ? ""
                        : ", " + Counts.of(sums.structures(), "structure") + " with "
                                + (sums.entries() == 1 ? "1 entry" : Counts.grouped(sums.entries()) + " entries"))
                + "; " + streams.styled(AnsiCodes.ofState(state.word()), state.word())
                + (sealed > 0 && !sums.hasData()
                        ? "; " + Counts.grouped(sealed) + " sealed, which --data compares"
                        : "");
        String compared = !sums.hasData()
                ? ""
                : "; compared " + Counts.of(sums.compared(), "sealed allocation")
                        + (sums.unsealed() > 0 ? ", " + Counts.grouped(sums.unsealed()) + " not sealed" : "");
        print(base, result(sums.problems(), contents) + compared);
    }

    /// Prints the end of the results for a ring.
    void endRing(Path path, RingSums sums) throws IOException {
        if (lines.isPresent()) {
            lines.get().write("ring", json -> {
                json.writeStringProperty("base", path.toString());
                json.writeNumberProperty("problems", sums.problems());
                json.writeNumberProperty("records", sums.records());
                JsonLines.number(json, "unread", sums.number(state -> state.positions().unreadByteSize()));
                JsonLines.number(json, "capacity", sums.number(RingState::capacity));
            });
            return;
        }
        print(path, result(sums.problems(), Counts.of(sums.records(), "record")
                + sums.state().map(state -> "; " + state.depth() + "; " + state.describeUsers()).orElse("")));
    }

    private String result(long problems, String contents) {
        return problems > 0
                ? streams.styled(AnsiCodes.RED, Counts.of(problems, "problem"))
                : "no problem in " + contents;
    }

    private void print(Path base, String text) throws IOException {
        streams.print(PrintableText.of(base.toString()) + ": " + text + "\n");
    }

    private void write(String kind, Path base, Optional<Allocation> where, JsonLines.Properties properties)
            throws IOException {
        lines.orElseThrow().write(kind, json -> {
            json.writeStringProperty("base", base.toString());
            JsonLines.text(json, "allocation", where.map(Allocation::label));
            JsonLines.number(json, "number", where.stream().mapToLong(Allocation::number).findFirst());
            properties.write(json);
        });
    }

    /// The number of sealed live allocations.
    private static long sealed(ArenaImage image, CheckedAllocations checked) throws IOException {
        long[] sealed = {0};
        if (checked.hasSeals()) {
            new AllocationSequence(image)
                    .forEachLive(allocation -> sealed[0] += image.integrity().seal(allocation).isPresent() ? 1 : 0);
        }
        return sealed[0];
    }

    private static String structs(ArenaImage image, Allocation allocation, DamagedRange range) {
        // An unreadable type is a problem of the image, and was printed as such.
        return TypeNames.readable(image, allocation)
                .filter(type -> type.byteSize() > 0)
                .map(type -> "; structs [" + range.byteOffset() / type.byteSize() + ".."
                        + (range.end() - 1) / type.byteSize() + "]")
                .orElse("");
    }
}
