package dev.arenakit.tool.export;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.tool.image.AllocationStructs;
import dev.arenakit.tool.image.StructRange;
import dev.arenakit.tool.structs.StructColumns;
import java.io.IOException;

/// The export of the structs of one allocation as a table.
final class CsvExport implements ExportForm {
    private final boolean hasRuns;

    /// @param hasRuns whether runs of zeros are rows
    CsvExport(boolean hasRuns) {
        this.hasRuns = hasRuns;
    }

    @Override
    public boolean write(ExportRequest export) throws IOException {
        Allocation allocation = export.only("--csv");
        StructType type = export.type(allocation);
        long columns = new StructColumns().count(type);
        if (columns > StructColumns.MAX) {
            throw new IOException(
                    allocation.label() + ": " + columns + " columns are too many for a table, of which the"
                            + " largest number is " + StructColumns.MAX + ": use --json");
        }
        AllocationStructs structs = export.structs(allocation);
        StructRange all = structs.within(StructRange.ALL);
        ExtentSource source = export.reading(structs.source(export.image()), all.count() * type.byteSize());
        return export.one(structs, () -> {
            CsvPrinter printer = new CsvPrinter(export.streams(), hasRuns, type);
            structs.dump(all).withEveryElement().visit(source, printer);
        });
    }
}
