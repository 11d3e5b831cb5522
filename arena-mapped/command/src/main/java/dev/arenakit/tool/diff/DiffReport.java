package dev.arenakit.tool.diff;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ImageEntries;
import dev.arenakit.tool.console.AnsiCodes;
import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.console.Counts;
import dev.arenakit.tool.console.JsonLines;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.TypeNames;
import java.io.IOException;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// Counts the differences between two images, and prints the first ones of each allocation, as lines for people or as
/// JSON.
final class DiffReport {
    private static final String INDENTATION = "    ";

    private final Streams streams;
    private final Optional<JsonLines> lines;
    private final long limit;
    private long gone;
    private long added;
    private long changed;
    private long same;

    /// The current allocation, until it is printed.
    private @Nullable Subject current;
    /// The label of the allocation that was printed last.
    private String label = "";
    private long details;
    private String unit = "";

    /// @param limit the largest number of details of each allocation
    DiffReport(Streams streams, boolean isJson, long limit) {
        this.streams = streams;
        lines = isJson ? Optional.of(new JsonLines(streams, "diff")) : Optional.empty();
        this.limit = limit;
    }

    /// An allocation with a difference.
    ///
    /// @param type    its type; empty if no type is recorded, or if the type cannot be read
    /// @param entries the number of entries if it is a structure
    record Subject(Allocation allocation, Optional<StructType> type, Optional<Long> entries) {
        static Subject of(Allocation allocation, Optional<StructType> type, Optional<ImageEntries> entries)
                throws IOException {
            return new Subject(allocation, type,
                    entries.isPresent() ? Optional.of(entries.get().count()) : Optional.empty());
        }

        /// The name of the type and the number of structs or entries: `Trade[1000]`, or `ImageLongMap[12 entries]`.
        String typeText() {
            return type.map(struct -> entries.isPresent()
                    ? TypeNames.ofEntries(TypeNames.of(struct), entries.get())
                    : TypeNames.of(TypeNames.of(struct), struct.byteSize(), allocation.byteSize()))
                    .orElse(allocation.typeText().isEmpty() ? "no type" : "unreadable");
        }
    }

    /// Reports an allocation that one image has.
    ///
    /// @param isGone whether the first image has it
    void unmatched(boolean isGone, Subject subject) throws IOException {
        gone += isGone ? 1 : 0;
        added += isGone ? 0 : 1;
        print(isGone ? "gone" : "added", isGone ? AnsiCodes.RED : AnsiCodes.GREEN, isGone ? "- " : "+ ", subject);
    }

    /// Begins an allocation that both images have. It counts as the same until a difference is reported.
    void begin(Subject subject) {
        current = subject;
        same++;
        details = 0;
    }

    /// Reports that the current allocation has another size.
    void size(long before, long after) throws IOException {
        printChanged();
        detail("size", "", "size: " + Counts.of(before, "byte") + " -> " + Counts.of(after, "byte"),
                json -> json.writeNumberProperty("before", before).writeNumberProperty("after", after));
    }

    /// Reports that the current allocation has another type.
    void type(String before, String after) throws IOException {
        printChanged();
        detail("type", "", "type: " + before + " -> " + after, json -> writeChange(json, before, after));
    }

    /// Counts a detail of the current allocation.
    ///
    /// @param unit the kind of detail, for the message that counts the details that were left out
    /// @return whether to print the detail
    boolean wants(String unit) throws IOException {
        printChanged();
        this.unit = unit;
        return ++details <= limit;
    }

    /// Prints a field that differs.
    ///
    /// @param byteOffset the offset of the first byte that differs
    /// @param bytes      the first different byte in both images if the texts are equal, otherwise ""
    void field(String path, long byteOffset, String before, String after, String bytes) throws IOException {
        String text = path + ": " + before + " -> " + after + (bytes.isEmpty() ? "" : " (" + bytes + ")");
        detail("field", "", text, json -> writeChange(json.writeStringProperty("field", path)
                .writeNumberProperty("byteOffset", byteOffset), before, after));
    }

    /// Prints a struct whose key is in one image only.
    ///
    /// @param isGone whether the first image has it
    /// @param key    the key, as in `[id=7]`
    /// @param index  the index of the struct
    /// @param text   its fields
    void struct(boolean isGone, String key, long index, String text) throws IOException {
        detail(isGone ? "goneStruct" : "addedStruct", isGone ? AnsiCodes.RED : AnsiCodes.GREEN,
                (isGone ? "- " : "+ ") + key + ": " + text, json -> json.writeStringProperty("key", key)
                        .writeNumberProperty("index", index)
                        .writeStringProperty("text", text));
    }

    /// Prints a range of bytes that differ. The texts contain the first bytes of the range.
    void bytes(long byteOffset, long byteSize, String before, String after) throws IOException {
        String range = "0x%x".formatted(byteOffset)
                + (byteSize == 1 ? "" : "..0x%x".formatted(byteOffset + byteSize - 1));
        String text = range + ": " + Counts.of(byteSize, "byte") + ", " + before + " -> " + after;
        detail("bytes", "", text, json -> writeChange(json.writeNumberProperty("byteOffset", byteOffset)
                .writeNumberProperty("byteSize", byteSize), before, after));
    }

    /// Ends the current allocation or a part of it: prints the number of details that were left out.
    void endPart() throws IOException {
        long more = details - limit;
        if (more > 0) {
            detail("more", "", "(" + Counts.of(more, (limit == 0 ? "" : "more ") + unit) + ")",
                    json -> json.writeStringProperty("unit", unit).writeNumberProperty("count", more));
        }
        details = 0;
    }

    /// Prints the sums.
    ///
    /// @param isComplete whether everything could be compared
    /// @return whether anything differs
    boolean finish(boolean isComplete) throws IOException {
        boolean isDifferent = changed + gone + added > 0;
        if (lines.isPresent()) {
            lines.get()
                    .write("summary", json -> json.writeNumberProperty("changed", changed)
                            .writeNumberProperty("gone", gone)
                            .writeNumberProperty("added", added)
                            .writeNumberProperty("same", same)
                            .writeBooleanProperty("complete", isComplete));
        } else {
            streams.print(isDifferent
                    ? "%s changed, %s gone, %s added, %s the same\n".formatted(Counts.grouped(changed),
                            Counts.grouped(gone), Counts.grouped(added), Counts.grouped(same))
                    : "no difference in " + Counts.of(same, "allocation")
                            + (isComplete ? "" : ", as far as they could be read") + "\n");
        }
        return isDifferent;
    }

    private void printChanged() throws IOException {
        if (current != null) {
            same--;
            changed++;
            label = current.allocation.label();
            print("changed", AnsiCodes.YELLOW, "! ", current);
            current = null;
        }
    }

    private void print(String kind, String colour, String sign, Subject subject) throws IOException {
        Allocation allocation = subject.allocation;
        Optional<StructType> type = subject.type.filter(struct -> struct.byteSize() > 0);
        if (lines.isPresent()) {
            lines.get().write(kind, json -> {
                json.writeStringProperty("allocation", allocation.label());
                json.writeNumberProperty("byteSize", allocation.byteSize());
                JsonLines.text(json, "typeName", type.map(TypeNames::of));
                JsonLines.number(json, "count", Stream.concat(subject.entries.stream(), type.stream()
                        .map(struct -> TypeNames.count(struct, allocation))).mapToLong(Long::longValue).findFirst());
            });
            return;
        }
        String text = allocation.label() + ": " + (type.isEmpty() ? "" : subject.typeText() + ", ")
                + ByteSizes.format(allocation.byteSize());
        streams.print(streams.styled(colour, PrintableText.of(sign + text)) + "\n");
    }

    private void detail(String kind, String colour, String text, JsonLines.Properties properties) throws IOException {
        if (lines.isPresent()) {
            lines.get().write(kind, json -> {
                json.writeStringProperty("allocation", label);
                properties.write(json);
            });
        } else {
            streams.print(INDENTATION + streams.styled(colour, PrintableText.of(text)) + "\n");
        }
    }

    private static void writeChange(JsonGenerator json, String before, String after) {
        json.writeStringProperty("before", before).writeStringProperty("after", after);
    }
}
