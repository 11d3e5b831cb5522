package dev.arenakit.tool.export;

import dev.arenakit.arrow.ArrowIpc;
import dev.arenakit.arrow.ArrowWriter;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.tool.image.AllocationStructs;
import dev.arenakit.tool.image.StructRange;
import dev.arenakit.tool.structs.ArrowTable;
import java.io.IOException;
import java.nio.channels.Channels;

/// The export of the structs of one allocation as a file of Apache Arrow.
final class ArrowOutput implements ExportForm {
    @Override
    public boolean write(ExportRequest export) throws IOException {
        Allocation allocation = export.only("--arrow");
        AllocationStructs structs = export.structs(allocation);
        ArrowTable table = ArrowTable.of(structs, export.reading(structs.source(export.image()),
                structs.within(StructRange.ALL).count() * structs.type().byteSize()));
        boolean isWhole = export.one(structs, () -> write(export, table, structs.type()));
        if (table.isCut()) {
            export.report(allocation, "its last struct is incomplete, and left out");
        }
        return isWhole && !table.isCut();
    }

    private static void write(ExportRequest export, ArrowTable table, StructType struct) throws IOException {
        try (ArrowWriter writer = ArrowIpc.file(ArrowTable.rowType(struct))
                .open(Channels.newChannel(export.streams().out()))) {
            // ExportRequest.one reports bytes that are missing.
            long _ = table.write(StructRange.ALL, writer::write);
            writer.finish();
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
