package dev.arenakit.tool;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.InfiniteArena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.HexFormat;

/// Writes an image with the types that binary formats are made of: unsigned integers, bit fields, values without a
/// name, arrays with a count, texts with padding or a length.
public final class FormatsImage {
    public static final StructType PACKET = LayoutText.parse("""
            #pragma layout 3
            enum Kind : uint8_t { NONE, DATA, ACK, OTHER = @otherwise };
            struct Header @packed {
                uint8_t @big version : 4;
                uint8_t @big length : 4;
                uint16_t @big flags : 3;
                int16_t @big place : 13;
                enum Kind kind;
            };
            struct Packet @packed {
                struct Header header;
                uint16_t @big port;
                uint24_t @big odd;
                uint40_t nanos;
                uint64_t id;
                uint32_t low : 5;
                int32_t signed : 4;
                bool set : 1;
                enum Kind known : 2;
                uint32_t one : 1;
                int8_t temperature;
                int32_t values[4] @count(count);
                uint8_t count;
                char @ascii @spaces code[6];
                char @prefix(2, big) text[5];
                union @switch(header.kind) {
                    uint32_t data @case(1, 4);
                    struct { } ack @case(2);
                    uint8_t raw[4] @otherwise;
                } body;
            };
            """);
    /// The bytes of three structs.
    public static final String BYTES = """
            45 4001 01 fffe 010203 0102030405 ffffffffffffffff a519 fe 01000000feffffff0300000004000000 02 \
            412042202020 0002 6162000000 ffffffff
            61 bfff 02 0050 000001 0000000000 0100000000000000 0000 01 01000000feffffff0300000004000000 00 \
            202020202020 0000 6162000000 00000000
            00 0000 11 0000 000000 0000000000 0000000000000000 0000 00 01000000feffffff0300000004000000 09 \
            414243444546 ffff 6162636465 01020304
            """.replaceAll("\\s", "");

    private FormatsImage() {}

    /// Writes an image.
    public static void write(Path base) {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked(1 << 26).build()) {
            allocate(arena);
        }
    }

    /// Allocates the packets.
    public static MemorySegment allocate(InfiniteArena arena) {
        byte[] bytes = HexFormat.of().parseHex(BYTES);
        MemorySegment packets = arena.names().allocate("packets", PACKET, bytes.length / PACKET.byteSize());
        return packets.copyFrom(MemorySegment.ofArray(bytes));
    }
}
