package dev.arenakit.tool.show;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.dump.LayoutDump;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.StructForm;
import dev.arenakit.tool.image.TypeNames;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.UnaryOperator;

/// Structs as text, under headings.
final class ShowTextForm implements StructForm {
    private final Streams streams;
    private final OutputStream out;
    private final long limit;
    private final UnaryOperator<LayoutDump> options;
    private boolean isFirst = true;

    /// @param limit   the largest number of structs of each allocation
    /// @param options sets further options of the dump
    ShowTextForm(Streams streams, long limit, UnaryOperator<LayoutDump> options) {
        this.streams = streams;
        out = streams.out().withoutFlush();
        this.limit = limit;
        this.options = options;
    }

    @Override
    public void begin(Allocation allocation, StructType type) throws IOException {
        streams.printHeading(allocation.label() + ": " + TypeNames.of(type, allocation), isFirst);
        isFirst = false;
    }

    @Override
    public void print(Allocation allocation, StructType type, ExtentSource source) throws IOException {
        options.apply(LayoutDump.of(type).withZeroRuns().withCount(limit)).print(source, out);
        long count = type.byteSize() == 0 ? 1 : Math.ceilDiv(allocation.byteSize(), type.byteSize());
        if (limit < count) {
            streams.print("(left out: " + (count - limit) + " of " + count + " structs)\n");
        }
    }

    @Override
    public void finish() {
        // Nothing is left to print.
    }
}
