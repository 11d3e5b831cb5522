package dev.arenakit.tool.show;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.dump.LayoutDump;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.AllocationStructs;
import dev.arenakit.tool.image.StructRange;
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
    public void begin(AllocationStructs structs) throws IOException {
        streams.printHeading(structs.allocation().label() + ": " + structs.name(), isFirst);
        isFirst = false;
    }

    @Override
    public void print(AllocationStructs structs, ExtentSource source, StructRange range) throws IOException {
        options.apply(structs.dump(range)).print(source, out);
    }

    @Override
    public void leaveOut(AllocationStructs structs, long left, long total) throws IOException {
        if (left > 0) {
            streams.print("(left out: " + left + " of " + total + " " + structs.plural() + ")\n");
        }
    }
}
