package dev.arenakit.tool.structs;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.dump.LayoutDump;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.tool.console.JsonOutput;
import dev.arenakit.tool.image.StructRange;
import java.io.IOException;
import tools.jackson.core.JsonGenerator;

/// Structs as JSON for programs, one object per line.
public final class StructJsonForm implements StructForm {
    private final JsonGenerator json;
    private final StructJsonPrinter printer;

    public StructJsonForm(JsonGenerator json) {
        this.json = json;
        printer = new StructJsonPrinter(json);
    }

    @Override
    public void begin(Allocation allocation, StructType type) {
        // Each object contains the name of its allocation.
    }

    @Override
    public void print(Allocation allocation, StructType type, ExtentSource source, StructRange range)
            throws IOException {
        printer.begin(allocation);
        JsonOutput.write(() -> LayoutDump.of(type)
                .withZeroRuns()
                .withEveryElement()
                .withFirst(range.first())
                .withCount(range.count())
                .visit(source, printer));
    }

    @Override
    public void leaveOut(long left, long total) {
        // Each object contains the index of its struct.
    }

    @Override
    public void finish() throws IOException {
        JsonOutput.write(json::flush);
    }
}
