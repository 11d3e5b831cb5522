package dev.arenakit.tool.export;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.InfiniteArena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

/// Writes an image with every kind of type, in one file.
final class ExportImage {
    /// A union with a discriminator before it, a union with a discriminator after it, and a union without a
    /// discriminator.
    static final StructType SHAPE = LayoutText.parse("""
            #pragma layout 2
            enum Kind : int16_t { NONE = 0, CIRCLE = 1, BOX = -2, };
            struct Point { int32_t x; int32_t @big y; };
            struct Circle { struct Point centre; float radius; };
            struct Shape {
                int64_t id;
                bool isFilled;
                uint16_t @char unit;
                enum Kind kind;
                enum Kind @big kinds[3];
                union @switch(kind) {
                    struct Circle circle @case(1);
                    struct Point box[2] @case(-2);
                } value;
                union @switch(late) { int8_t a @case(7); char text[4] @case(8); } early[2];
                int32_t late;
                union { int16_t low; float @big all; } either;
                int16_t grid[2][3];
                char name[6];
                char @ascii codes[2][3];
                char16_t wide[4];
                char16_t @big wider[3];
                double @big ratio;
                struct Point *next;
                struct Point path[2] @offset(184);
            };
            """);
    /// A packed struct with a name that is already used, and with members named like keywords of other languages.
    static final StructType POINT = LayoutText.parse("""
            #pragma layout 2
            enum Kind : int8_t { NONE = 1, };
            struct Point @packed { int8_t struct; int64_t maxX; int32_t max_x; enum Kind Kind; };
            """);
    static final int SHAPES = 3;
    static final int POINTS = 2;

    private ExportImage() {}

    /// Writes an image.
    static Path write(Path base) {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked(1 << 26).build()) {
            MemorySegment shapes = arena.names().allocate("shapes", SHAPE, SHAPES);
            for (int i = 0; i < SHAPES; i++) {
                shapes.asSlice(i * SHAPE.byteSize()).copyFrom(MemorySegment.ofArray(shape(i)));
            }
            arena.allocate(5000, 8);
            MemorySegment points = arena.names().allocate("grid */ \"points\"", POINT, POINTS);
            for (int i = 0; i < POINTS; i++) {
                ByteBuffer point = ByteBuffer.allocate((int) POINT.byteSize()).order(ByteOrder.LITTLE_ENDIAN);
                point.put((byte) -i).putLong(1L << (40 + i)).putInt(-3 - i).put((byte) (1 + i));
                points.asSlice(i * POINT.byteSize()).copyFrom(MemorySegment.ofArray(point.array()));
            }
            arena.names().allocate("prices", JAVA_DOUBLE, 100).setAtIndex(JAVA_DOUBLE, 99, 2.5);
            arena.names().allocate("empty", JAVA_DOUBLE, 0);
        }
        return base;
    }

    private static byte[] shape(int i) {
        ByteBuffer bytes = ByteBuffer.allocate((int) SHAPE.byteSize()).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(offset("id"), 1000 + i).put(offset("isFilled"), (byte) (i % 2));
        bytes.putShort(offset("unit"), (short) ('A' + i))
                .putShort(offset("kind"), (short) (i == 0 ? 1 : i == 1 ? -2 : 9));
        bytes.order(ByteOrder.BIG_ENDIAN);
        bytes.putShort(offset("kinds"), (short) -2).putShort(offset("kinds") + 2, (short) 1);
        bytes.putInt(offset("value") + 4, 20 + i).putInt(offset("value") + 12, 22);
        bytes.putFloat(offset("either"), 1.5f).putDouble(offset("ratio"), 0.25 * i);
        bytes.putInt(offset("path") + 4, 50).putInt(offset("path") + 12, 52);
        bytes.order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(offset("value"), 10 + i);
        if (i == 0) {
            bytes.putFloat(offset("value") + 8, 2.5f);
        } else {
            bytes.putInt(offset("value") + 8, 12);
        }
        bytes.put(offset("early"), "abc".getBytes(UTF_8)).put(offset("early") + 4, (byte) -4);
        bytes.putInt(offset("late"), 7 + i);
        for (int j = 0; j < 6; j++) {
            bytes.putShort(offset("grid") + 2 * j, (short) (100 * i + j));
        }
        bytes.put(offset("name"), (i == 0 ? "k\u00e4se" : "sixsix").getBytes(UTF_8));
        bytes.put(offset("codes"), "ab\0cde".getBytes(UTF_8));
        bytes.put(offset("wide"), "\u20acx".getBytes(UTF_16LE)).put(offset("wider"), "yz\u0101".getBytes(UTF_16BE));
        bytes.putLong(offset("next"), 0x7f00_0000_1000L);
        bytes.putInt(offset("path"), 60 + i).putInt(offset("path") + 8, 62);
        return bytes.array();
    }

    private static int offset(String member) {
        return (int) SHAPE.member(member).orElseThrow().byteOffset();
    }

    public static void main(String[] args) {
        write(Path.of(args[0]));
    }
}
