package dev.arenakit.dump;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.ValueType;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;

/// The example of [LayoutDump].
final class LayoutDumpExample {
    private LayoutDumpExample() {}

    static void print(MemorySegment segment, Appendable out) throws IOException {
        // @start region="example"
        StructType point = StructType.builder("Point")
                .add("x", ValueType.of(int.class))
                .add("y", ValueType.of(int.class))
                .build();
        LayoutDump.of(point).withFirst(7).withCount(2).append(segment, out);
        LayoutDump.of(point).withFirst(7).withCount(1).withOffsets().withBytes().append(segment, out);
        // @end
    }

    static void print(StructType point, InputStream stream, OutputStream out) throws IOException {
        // @start region="stream"
        LayoutDump.of(point).withZeroRuns().print(ExtentSource.of(stream), out);
        // @end
    }
}
