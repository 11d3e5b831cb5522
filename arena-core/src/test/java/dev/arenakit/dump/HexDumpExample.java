package dev.arenakit.dump;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.ValueType;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;

/// The example of [HexDump].
final class HexDumpExample {
    private HexDumpExample() {}

    static void print(MemorySegment segment, PrintStream out) throws IOException {
        // @start region="example"
        HexDump.of().print(segment, out);
        HexDump.of().withSkip(1024).withLength(256).print(segment, out);
        out.println("The segment holds\n" + HexDump.toString(segment));
        // @end
    }

    static void printPoints(MemorySegment segment, PrintStream out) throws IOException {
        // @start region="notes"
        StructType point = StructType.builder("Point")
                .add("x", ValueType.of(double.class))
                .add("y", ValueType.of(double.class))
                .build();
        HexDump.of().withNotes(FieldNotes.of(point)).print(segment, out);
        // @end
    }
}
