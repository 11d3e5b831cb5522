package dev.arenakit.tool.page;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.AllocationPart;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.io.SparseFile;
import dev.arenakit.tool.image.AllocationState;
import dev.arenakit.tool.image.AllocationUsage;
import dev.arenakit.tool.image.MeasuredAllocations;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;

/// Writes the allocations of an image for `image.js` of the page, each as a flat array. Most rows differ little from
/// the previous row, so writing the differences halves the size of the page:
///
/// | index | value |
/// |---|---|
/// | 0 | the name, or 0 |
/// | 1 | the number of the type, or -1; the first time, the type itself ([PageTypes]) |
/// | 2 | the number of the data file, or -1; of an allocation in several files an array of it and the sizes of the parts |
/// | 3 | the offset in the file, less the end of the row before |
/// | 4 | the size |
/// | 5 | log2 of the alignment |
/// | 6 | the state ([#number]) |
/// | 7 | the size of the pages that were written, -1 if unknown, or -2 if that is the size |
/// | 8 | the time in milliseconds since the epoch, less the time before; null if unknown |
/// | 9 | the thread, or -1 |
/// | 10 | the number of the allocation, less the number before |
/// | 11 | the contents ([PageContents]); absent if there are none |
final class PageAllocations {
    private static final long UNKNOWN = -1;
    private static final long WHOLE = -2;

    private final JsonGenerator json;
    private final PageTypes types;
    private final PageContents contents;
    /// The end, the time and the number of the previous row.
    private long end;
    private long time;
    private long number;

    PageAllocations(JsonGenerator json, ArenaImage image, PageContents contents) {
        this.json = json;
        this.contents = contents;
        types = new PageTypes(json, image);
    }

    /// Whether the page shows bytes of an allocation.
    static boolean hasData(Allocation allocation, AllocationUsage usage) {
        return allocation.isLive() && usage.disk().storedByteSize().orElse(1) > 0;
    }

    /// Writes the allocations.
    void write(MeasuredAllocations allocations) throws IOException {
        allocations.forEach(this::write);
    }

    private void write(Allocation allocation, AllocationUsage usage, AllocationUsage.Meter files) throws IOException {
        json.writeStartArray();
        if (allocation.name().isPresent()) {
            json.writeString(PageWriter.shortened(allocation.name().get()));
        } else {
            json.writeNumber(0);
        }
        types.write(allocation);
        writePlace(allocation);
        json.writeNumber(allocation.byteSize());
        json.writeNumber(Long.numberOfTrailingZeros(allocation.byteAlignment()));
        json.writeNumber(number(usage.state()));
        long stored = usage.disk().storedByteSize().orElse(UNKNOWN);
        json.writeNumber(stored == allocation.byteSize() ? WHOLE : stored);
        writeTime(allocation);
        json.writeNumber(allocation.thread().orElse(UNKNOWN));
        json.writeNumber(allocation.number() - number);
        number = allocation.number();
        Optional<SparseFile> file = hasData(allocation, usage) ? files.file(allocation) : Optional.empty();
        if (file.isPresent()) {
            contents.write(allocation, file.get(),
                    types.readable(allocation).map(StructType::byteSize).orElse(0L));
        }
        json.writeEndArray();
    }

    private void writePlace(Allocation allocation) {
        List<AllocationPart> parts = allocation.parts();
        if (parts.size() > 1) {
            json.writeStartArray();
            json.writeNumber(allocation.file());
            parts.forEach(part -> json.writeNumber(part.byteSize()));
            json.writeEndArray();
        } else {
            json.writeNumber(allocation.file());
        }
        json.writeNumber(allocation.byteOffset() - end);
        end = allocation.byteOffset() + allocation.byteSize();
    }

    private void writeTime(Allocation allocation) {
        if (allocation.time().isEmpty()) {
            json.writeNull();
            return;
        }
        long millis = allocation.time().get().toEpochMilli();
        json.writeNumber(millis - time);
        time = millis;
    }

    /// The number that stands for a state in the page.
    private static int number(AllocationState state) {
        return switch (state) {
            case LIVE, INCOMPLETE, DAMAGED -> 0;
            case FREED -> 1;
            case MISSING -> 2;
            case TRUNCATED -> 3;
            case UNREADABLE -> 4;
        };
    }
}
