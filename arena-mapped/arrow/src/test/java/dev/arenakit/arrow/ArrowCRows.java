package dev.arenakit.arrow;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// What `read_exports.py` reads.
public final class ArrowCRows {
    private static final StructType POINT = LayoutText.parse("""
            #pragma layout 2
            enum Kind : uint8_t { A = 1, B = 2, };
            struct Point {
                int32_t x;
                enum Kind kind;
                char name[3];
                bool open;
                int8_t n;
                int8_t parts[2] @count(n);
                uint8_t pair[2];
                struct { int8_t a; uint8_t b; } at;
                union @switch(n) { int8_t i @case(1); char c[1] @case(2); } value;
            };
            """);
    private static final int COUNT = 5;

    private ArrowCRows() {}

    private static MemorySegment points() {
        MemorySegment points = Arena.ofAuto().allocate(POINT.layout(), COUNT);
        for (int i = 0; i < COUNT; i++) {
            MemorySegment point = points.asSlice(i * POINT.byteSize(), POINT.byteSize());
            point.set(JAVA_INT, 0, i * 1000);
            for (int at = Integer.BYTES; at < POINT.byteSize(); at++) {
                point.set(JAVA_BYTE, at, (byte) ('a' + i));
            }
            set(point, "kind", 1 + i % 2);
            set(point, "open", i % 2);
            set(point, "n", i % 3);
        }
        return points;
    }

    private static void set(MemorySegment point, String member, int value) {
        point.set(JAVA_BYTE, POINT.member(member).orElseThrow().byteOffset(), (byte) value);
    }

    /// {@return all rows}
    public static ArrowExport export() {
        return ArrowC.export(POINT, points());
    }

    /// {@return batches of 2 rows}
    public static ArrowStream stream() {
        return ArrowC.stream(POINT, points(), 2);
    }

    /// {@return a stream whose second batch has a value that cannot be converted}
    public static ArrowStream malformed() {
        MemorySegment points = points();
        set(points.asSlice(3 * POINT.byteSize()), "kind", 9);
        return ArrowC.stream(POINT, points, 2);
    }

    /// {@return three numbers}
    public static Numbers numbers() {
        return new Numbers();
    }

    /// Numbers in an arena of their own.
    public static final class Numbers {
        private final Arena arena = Arena.ofShared();
        private final MemorySegment numbers = arena.allocateFrom(JAVA_LONG, 1, 2, 1L << 40);

        private Numbers() {}

        /// {@return the numbers, without a copy}
        public ArrowExport export() {
            return ArrowC.export(JAVA_LONG, numbers);
        }

        /// Closes the arena, if it is not leased.
        ///
        /// @return whether it is closed
        public boolean close() {
            try {
                arena.close();
                return true;
            } catch (IllegalStateException _) {
                return false;
            }
        }
    }
}
