package dev.arenakit.tool.serve;

import dev.arenakit.arrow.ArrowIpc;
import dev.arenakit.arrow.ArrowWriter;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.console.ErrorText;
import dev.arenakit.tool.console.JsonLines;
import dev.arenakit.tool.console.JsonOutput;
import dev.arenakit.tool.image.AllocationSequence;
import dev.arenakit.tool.image.AllocationStructs;
import dev.arenakit.tool.image.ImageFileSet;
import dev.arenakit.tool.image.ImageState;
import dev.arenakit.tool.image.StructRange;
import dev.arenakit.tool.image.TypeNames;
import dev.arenakit.tool.structs.ArrowTable;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.core.JsonGenerator;

/// A table of an image: a live allocation with a type that Arrow can express.
record ServeTable(ArenaImage image, Allocation allocation, StructType type) {
    private static final int VERSION = 1;
    /// A client needs about as much memory as the largest struct, and as a batch.
    private static final long LARGEST_STRUCT = 1 << 20;
    private static final long BATCH_BYTES = 1 << 22;
    private static final int BATCH_ROWS = 1 << 16;
    /// The number of bytes of structs that are read before a reply begins. The client waits meanwhile, and may have gone.
    private static final long CHECKED_BYTES = 1 << 26;

    static Optional<ServeTable> of(ArenaImage image, Allocation allocation) {
        return TypeNames.readable(image, allocation)
                .filter(type -> allocation.isLive() && type.byteSize() > 0 && type.byteSize() <= LARGEST_STRUCT)
                .map(type -> new ServeTable(image, allocation, type))
                .filter(ServeTable::hasColumns);
    }

    private boolean hasColumns() {
        try {
            ArrowIpc _ = format(List.of());
            return true;
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    /// Converts the first rows of a reply, up to 64 MiB, to find the number of bytes.
    ///
    /// @return 0 if the number is unknown, because there are more rows, or a process may write the image
    /// @throws IllegalArgumentException if there are no such columns
    /// @throws IOException              if the reply cannot be complete
    long length(ServeTarget target) throws IOException {
        long count = CHECKED_BYTES / type.byteSize();
        StructRange range = target.range();
        DataOutputStream counter = new DataOutputStream(OutputStream.nullOutputStream());
        write(target, new StructRange(range.first(), Math.min(count, range.count())), counter);
        boolean isWhole = range.count() <= count
                || AllocationStructs.recorded(image, allocation, type).within(StructRange.ALL).count() <= count;
        boolean isSteady = List.of("closed", "died").contains(ImageState.of(image).word());
        return isWhole && isSteady && counter.size() < Integer.MAX_VALUE ? counter.size() : 0;
    }

    /// Writes some of the rows of a request.
    ///
    /// @throws IllegalArgumentException if there are no such columns
    /// @throws IOException              if structs are missing, or a value cannot be converted
    void write(ServeTarget target, StructRange range, OutputStream out) throws IOException {
        ArrowIpc format = format(target.columns());
        AllocationStructs structs = AllocationStructs.recorded(image, allocation, type);
        try (ArrowWriter writer = format.open(Channels.newChannel(out))) {
            long missing = ArrowTable.of(structs, structs.source(image)).write(range, writer::write);
            if (missing > 0) {
                throw new IOException("a data file is truncated: " + missing + " structs are missing");
            }
            writer.finish();
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /// Returns the format of the rows.
    ///
    /// @param columns the names of the columns; none for all columns
    /// @throws IllegalArgumentException if there is no such column, if a column needs another column, if the struct has
    ///                                  no columns, or too many, or if a row could be too large
    ArrowIpc format(List<String> columns) {
        StructType row = ArrowTable.rowType(type);
        List<String> names = row.members().stream().map(Member::name).toList();
        if (!names.containsAll(columns)) {
            throw new IllegalArgumentException("The table has no such columns: requested=" + columns);
        }
        List<Member> members = row.members()
                .stream()
                .filter(member -> columns.isEmpty() || columns.contains(member.name()))
                .toList();
        return ArrowIpc.stream(new StructType(row.name(), members, row.byteSize(), 1))
                .withBatchRows(Math.clamp(BATCH_BYTES / row.byteSize(), 1, BATCH_ROWS));
    }

    /// Writes the list of all images and tables, as a JSON object.
    ///
    /// @param bases the bases of the images, by their names
    static void writeList(Map<String, Path> bases, OutputStream out) throws IOException {
        JsonGenerator json = JsonOutput.generator(out);
        JsonOutput.write(() -> {
            json.writeStartObject();
            json.writeNumberProperty("version", VERSION);
            json.writeArrayPropertyStart("images");
            bases.forEach((name, base) -> writeImage(json, name, base));
            json.writeEndArray();
            json.writeEndObject();
            json.writeRaw('\n');
            json.close();
        });
    }

    private static void writeImage(JsonGenerator json, String name, Path base) {
        json.writeStartObject();
        json.writeStringProperty("image", name);
        json.writeArrayPropertyStart("tables");
        Optional<String> state = Optional.empty();
        Optional<String> problem = Optional.empty();
        try (ArenaImage image = ImageFileSet.openImage(base)) {
            state = Optional.of(ImageState.of(image).word());
            new AllocationSequence(image)
                    .forEachLive(allocation -> of(image, allocation).ifPresent(table -> table.write(json, name)));
            if (image.hasSkippedDamage()) {
                problem = Optional.of("records of the catalog are damaged, and tables may be missing");
            }
        } catch (IOException | UncheckedIOException e) {
            problem = Optional.of(ErrorText.of(ErrorText.cause(e)));
        }
        json.writeEndArray();
        JsonLines.text(json, "state", state);
        JsonLines.text(json, "problem", problem);
        json.writeEndObject();
    }

    private void write(JsonGenerator json, String imageName) {
        OptionalLong count = OptionalLong.empty();
        Optional<String> problem;
        try {
            AllocationStructs structs = AllocationStructs.recorded(image, allocation, type);
            count = OptionalLong.of(structs.within(StructRange.ALL).count());
            problem = structs.loss();
        } catch (IOException e) {
            problem = Optional.of(ErrorText.of(e));
        }
        json.writeStartObject();
        json.writeStringProperty("table", allocation.label());
        json.writeStringProperty("path", ServeTarget.path(imageName, allocation));
        json.writeStringProperty("typeName", TypeNames.of(type));
        JsonLines.number(json, "count", count);
        json.writeNumberProperty("byteSize", allocation.byteSize());
        JsonLines.text(json, "type", allocation.typeText());
        JsonLines.text(json, "problem", problem);
        json.writeEndObject();
    }
}
