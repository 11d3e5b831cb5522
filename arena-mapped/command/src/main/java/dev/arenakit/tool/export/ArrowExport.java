package dev.arenakit.tool.export;

import dev.arenakit.arrow.ArrowIpc;
import dev.arenakit.arrow.ArrowWriter;
import dev.arenakit.dump.ExtentSource;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.tool.image.AllocationStructs;
import dev.arenakit.tool.image.StructRange;
import java.io.IOException;
import java.nio.channels.Channels;

/// The export of the structs of one allocation as a file of Apache Arrow.
final class ArrowExport implements ExportForm {
    /// The largest size of a struct: a whole struct is read into memory.
    private static final long LARGEST_STRUCT = 1 << 26;

    @Override
    public boolean write(ExportRequest export) throws IOException {
        Allocation allocation = export.allocations().only("--arrow");
        StructType type = export.type(allocation);
        if (type.byteSize() == 0 || type.byteSize() > LARGEST_STRUCT) {
            throw new IOException(allocation.label() + ": structs of " + type.byteSize() + " bytes are no rows: use"
                    + " --json");
        }
        AllocationStructs structs = AllocationStructs.recorded(export.image(), allocation, type);
        ExtentSource source = structs.entries().isPresent()
                ? structs.entries().get().source()
                : export.image().source(allocation);
        StructRange range = structs.within(StructRange.ALL);
        boolean isWhole = export.one(allocation, export.streams().out()::byteCount,
                () -> write(export, type, structs.hasZeros(), source, range.count() * type.byteSize()));
        boolean isCut = structs.entries().isEmpty() && range.count() * type.byteSize() > allocation.byteSize();
        if (isCut) {
            export.report(allocation, "its last struct is incomplete, and left out");
        }
        structs.loss().ifPresent(message -> export.report(allocation, message));
        return isWhole && !isCut && structs.loss().isEmpty();
    }

    private static void write(ExportRequest export, StructType type, boolean hasZeros, ExtentSource source,
            long byteSize) throws IOException {
        try (ArrowWriter writer = ArrowIpc.file(ArrowRows.type(type))
                .open(Channels.newChannel(export.streams().out()))) {
            ArrowRows rows = new ArrowRows(type, hasZeros, writer);
            long _ = source.transferTo(rows, 0, byteSize);
            rows.flush();
            writer.finish();
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
