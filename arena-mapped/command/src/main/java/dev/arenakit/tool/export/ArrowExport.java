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
    @Override
    public boolean write(ExportRequest export) throws IOException {
        Allocation allocation = export.allocations().only("--arrow");
        StructType type = export.type(allocation);
        if (type.byteSize() == 0) {
            throw new IOException(allocation.label() + ": its structs have no bytes");
        }
        AllocationStructs structs = AllocationStructs.recorded(export.image(), allocation, type);
        ExtentSource source = structs.entries().isPresent()
                ? structs.entries().get().source()
                : export.image().source(allocation);
        ArrowRows rows = new ArrowRows(type, structs.hasZeros());
        boolean isWhole = export.one(allocation, export.streams().out()::byteCount, () -> {
            StructRange range = structs.within(StructRange.ALL);
            try (ArrowWriter writer = ArrowIpc.file(rows.type())
                    .open(Channels.newChannel(export.streams().out().withoutFlush()))) {
                rows.writeTo(writer);
                long _ = source.transferTo(rows, 0, range.count() * type.byteSize());
                rows.finish();
            } catch (IllegalArgumentException e) {
                throw new IOException(e.getMessage(), e);
            }
        });
        if (rows.hasIncompleteStruct()) {
            export.report(allocation, "its last struct is incomplete, and left out");
        }
        structs.loss().ifPresent(message -> export.report(allocation, message));
        return isWhole && !rows.hasIncompleteStruct() && structs.loss().isEmpty();
    }
}
