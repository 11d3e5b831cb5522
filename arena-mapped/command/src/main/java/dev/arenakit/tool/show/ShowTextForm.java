package dev.arenakit.tool.show;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.dump.LayoutDump;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.StructRange;
import dev.arenakit.tool.image.TypeNames;
import dev.arenakit.tool.structs.StructForm;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.UnaryOperator;

/// Structs as text, under headings.
final class ShowTextForm implements StructForm {
    private final Streams streams;
    private final OutputStream out;
    private final UnaryOperator<LayoutDump> options;
    private boolean isFirst = true;

    /// @param options sets further options of the dump
    ShowTextForm(Streams streams, UnaryOperator<LayoutDump> options) {
        this.streams = streams;
        out = streams.out().withoutFlush();
        this.options = options;
    }

    @Override
    public void begin(Allocation allocation, StructType type) throws IOException {
        streams.printHeading(allocation.label() + ": " + TypeNames.of(type, allocation), isFirst);
        isFirst = false;
    }

    @Override
    public void print(Allocation allocation, StructType type, ExtentSource source, StructRange range)
            throws IOException {
        options.apply(LayoutDump.of(type).withZeroRuns().withFirst(range.first()).withCount(range.count()))
                .print(source, out);
    }

    @Override
    public void leaveOut(long left, long total) throws IOException {
        if (left > 0) {
            streams.print("(left out: " + left + " of " + total + " structs)\n");
        }
    }

    @Override
    public void finish() {
        // Nothing is left to print.
    }
}
