package dev.arenakit.spark.internal;

import dev.arenakit.layout.text.LayoutParseException;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageEntries;
import dev.arenakit.mapped.ImageFiles;
import dev.arenakit.mapped.internal.column.RowRange;
import dev.arenakit.mapped.internal.column.RowRanges;
import dev.arenakit.mapped.internal.column.TableRows;
import dev.arenakit.mapped.internal.files.AllocationBytes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The allocation of one image, as its catalog has recorded it.
///
/// @param pid        the id of the process that owns the image, or was its last owner
/// @param columnRows the number of rows of a table of columns, or -1 if the rows are structs, one after another
record ImageAllocation(Path base, long pid, String typeText, StructType type, TableRows rows, long columnRows) {
    private static final int LISTED_NAMES = 5;

    /// @throws IllegalArgumentException if the image has no such allocation, or the allocation is no table
    static ImageAllocation open(Path base, String name) throws IOException {
        try (ArenaImage image = ArenaImage.open(base)) {
            Allocation allocation = image.find(name).filter(Allocation::isLive).orElse(null);
            if (allocation == null) {
                throw new IllegalArgumentException("Image has no such allocation: base=" + base + ", allocation=" + name
                        + ", allocations=" + names(image));
            }
            StructType type = type(image, allocation);
            if (type == null) {
                throw refused(base, name, "no type was recorded");
            }
            Optional<String> refusal = TableRows.refusal(type);
            if (refusal.isPresent()) {
                throw refused(base, name, refusal.get());
            }
            Optional<ImageEntries> entries = image.entries(allocation);
            if (entries.isPresent() && entries.get().hasKeys()) {
                throw refused(base, name, "it is a map or a tree; write it with arena sql BASE \"copy " + name
                        + " to 'FILE.parquet'\", and read Parquet");
            }
            long pid = image.owners().isEmpty() ? -1 : image.owners().getLast().pid();
            return new ImageAllocation(base, pid, allocation.typeText().orElseThrow(), type,
                    entries.isPresent()
                            ? new TableRows(allocation.parts(), true)
                            : TableRows.of(allocation, type),
                    entries.isPresent() ? entries.get().count() : -1);
        }
    }

    private static @Nullable StructType type(ArenaImage image, Allocation allocation) {
        try {
            return image.type(allocation).orElse(null);
        } catch (LayoutParseException e) {
            throw refused(image.base(), allocation.label(), String.valueOf(e.getMessage()));
        }
    }

    private static List<String> names(ArenaImage image) throws IOException {
        try (Stream<Allocation> all = image.allocations()) {
            return all.filter(Allocation::isLive).map(Allocation::label).limit(LISTED_NAMES).toList();
        }
    }

    private static IllegalArgumentException refused(Path base, String name, String reason) {
        return new IllegalArgumentException("Allocation is no table of structs: base=" + base + ", allocation=" + name
                + ", reason=" + reason);
    }

    long structByteSize() {
        return type.byteSize();
    }

    /// Returns the ranges of structs, in order, each with at least one struct.
    ///
    /// @param wanted    the structs that a query asks for
    /// @param withHoles whether structs in holes are rows
    List<RowRange> ranges(RowRange wanted, boolean withHoles) throws IOException {
        if (columnRows >= 0) {
            RowRange all = wanted.intersect(new RowRange(0, columnRows, false));
            return all.count() > 0 ? List.of(all) : List.of();
        }
        List<RowRange> ranges = new ArrayList<>();
        try (AllocationBytes bytes = ImageSlice.open(files(), rows.parts())) {
            RowRanges found = new RowRanges(bytes, structByteSize(), wanted, withHoles);
            for (RowRange range = found.next(Long.MAX_VALUE); range.count() > 0; range = found.next(Long.MAX_VALUE)) {
                ranges.add(range);
            }
        }
        return ranges;
    }

    /// The data files of the parts.
    List<Path> files() {
        return rows.parts().stream().map(part -> ImageFiles.data(base, part.file())).toList();
    }
}
