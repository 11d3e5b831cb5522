package dev.arenakit.tool;

import dev.arenakit.layout.LayoutParseException;
import dev.arenakit.layout.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.SparseFile;
import dev.arenakit.tool.Progress.Task;

import java.io.IOException;
import java.time.Instant;
import java.util.Iterator;
import java.util.Optional;
import java.util.stream.Stream;

import tools.jackson.core.JsonGenerator;

/// Writes the allocations of an image, each a flat array, as `image.js` of the page reads them:
///
/// | place | holds |
/// |---|---|
/// | 0 | the name, or 0 |
/// | 1 | the number of the type, -1 for none; where a type comes first, what it is ([HtmlTypes]) |
/// | 2, 3, 4 | the number of the data file, or -1; the offset in it; the size |
/// | 5 | log2 of the alignment |
/// | 6 | the state ([#number]) |
/// | 7 | bytes on disk, or -1 |
/// | 8, 9 | the time in milliseconds of the epoch, the thread; -1 for none |
/// | 10 | the contents ([HtmlContents]); nothing where there are none |
final class HtmlRows {
    private static final long UNKNOWN = -1;

    private final JsonGenerator json;
    private final Streams streams;
    private final ArenaImage image;
    private final HtmlTypes types;
    private final HtmlContents contents;

    HtmlRows(JsonGenerator json, Streams streams, ArenaImage image, HtmlContents contents) {
        this.json = json;
        this.streams = streams;
        this.image = image;
        this.contents = contents;
        types = new HtmlTypes(json, image);
    }

    /// Whether there are bytes to be shown.
    static boolean hasData(Allocation allocation, AllocationUse use) {
        return allocation.isLive() && use.disk().storedByteSize().orElse(1) > 0;
    }

    /// Writes the first allocations.
    ///
    /// @param count how many: a living owner may have added some
    /// @param uses  asks for what files take
    void write(long count, DiskUses uses) throws IOException {
        try (Task task = streams.progress().start("writing the page", "allocations");
                AllocationUses parts = new AllocationUses(image, uses);
                Stream<Allocation> allocations = image.allocations().limit(count)) {
            long written = 0;
            for (Iterator<Allocation> each = allocations.iterator(); each.hasNext();) {
                Allocation allocation = each.next();
                write(allocation, parts);
                task.at(++written);
            }
        }
    }

    private void write(Allocation allocation, AllocationUses uses) throws IOException {
        AllocationUse use = uses.of(allocation);
        json.writeStartArray();
        if (allocation.name().isPresent()) {
            json.writeString(HtmlExport.shortened(allocation.name().get()));
        } else {
            json.writeNumber(0);
        }
        types.write(allocation);
        json.writeNumber(allocation.file());
        json.writeNumber(allocation.byteOffset());
        json.writeNumber(allocation.byteSize());
        json.writeNumber(Long.numberOfTrailingZeros(allocation.byteAlignment()));
        json.writeNumber(number(use.state()));
        json.writeNumber(use.disk().storedByteSize().orElse(UNKNOWN));
        json.writeNumber(allocation.time().map(Instant::toEpochMilli).orElse(UNKNOWN));
        json.writeNumber(allocation.thread().orElse(UNKNOWN));
        Optional<SparseFile> file = hasData(allocation, use) ? uses.file(allocation) : Optional.empty();
        if (file.isPresent()) {
            contents.write(allocation, file.get(), structByteSize(allocation));
        }
        json.writeEndArray();
    }

    /// By what the page knows a state.
    private static int number(AllocationUse.State state) {
        return switch (state) {
            case LIVE -> 0;
            case FREED -> 1;
            case MISSING -> 2;
            case TRUNCATED -> 3;
            case UNREADABLE -> 4;
        };
    }

    private long structByteSize(Allocation allocation) {
        try {
            return image.type(allocation).map(StructType::byteSize).orElse(0L);
        } catch (LayoutParseException e) {
            return 0;
        }
    }
}
