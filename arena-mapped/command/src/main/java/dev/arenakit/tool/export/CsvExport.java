package dev.arenakit.tool.export;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.layout.text.LayoutParseException;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.tool.image.AllocationStructs;
import dev.arenakit.tool.image.StructRange;
import dev.arenakit.tool.structs.StructColumns;
import java.io.IOException;
import java.util.List;

/// The export of the structs of one allocation as a table.
final class CsvExport implements ExportForm {
    @Override
    public boolean write(ExportRequest export) throws IOException {
        List<Allocation> named = export.allocations().named();
        if (named.size() != 1) {
            throw new ExportForm.UsageException("Option '--csv' writes one table: give one NAME of an allocation");
        }
        Allocation allocation = named.getFirst();
        StructType type = type(export, allocation);
        long columns = new StructColumns().count(type);
        if (columns > StructColumns.MAX) {
            throw new IOException(
                    allocation.label() + ": " + columns + " columns are too many for a table, of which the"
                            + " largest number is " + StructColumns.MAX + ": use --json");
        }
        AllocationStructs structs = AllocationStructs.recorded(export.image(), allocation, type);
        ExtentSource source = structs.entries().isPresent()
                ? structs.entries().get().source()
                : export.image().source(allocation);
        return export.one(allocation, export.streams().out()::byteCount, () -> {
            CsvPrinter printer = new CsvPrinter(export.streams());
            printer.printHeader(type);
            structs.dump(structs.within(StructRange.ALL)).withEveryElement().visit(source, printer);
        }) && isComplete(export, structs);
    }

    private static boolean isComplete(ExportRequest export, AllocationStructs structs) {
        structs.loss().ifPresent(message -> export.report(structs.allocation(), message));
        return structs.loss().isEmpty();
    }

    private static StructType type(ExportRequest export, Allocation allocation) throws IOException {
        try {
            return export.image()
                    .type(allocation)
                    .orElseThrow(() -> new IOException(allocation.label() + ": its type is not recorded: use --bytes"));
        } catch (LayoutParseException e) {
            throw new IOException(allocation.label() + ": its type cannot be read: " + e.getMessage(), e);
        }
    }
}
