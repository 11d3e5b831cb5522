package dev.arenakit.tool.export;

import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.UnionType.Discriminator;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import dev.arenakit.mapped.InfiniteArena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// An image of structs whose unions and arrays refer to bit fields that share bytes in different byte orders. Some of
/// these unions and arrays are in arrays and unions.
final class ReferencesImage {
    private static final ArrayType SHORTS = ArrayType.of(ValueType.of(short.class), 4).withCount("count");
    private static final ArrayType BYTES = ArrayType.of(ValueType.of(byte.class), 8).withCount("late");
    static final StructType MESSAGE = new StructType("Message", List.of(
            new Member("kind", 0, bits(ByteOrder.LITTLE_ENDIAN)),
            new Member("count", 0, bits(ByteOrder.BIG_ENDIAN)),
            new Member("rows", 4, ArrayType.of(ArrayType.of(ValueType.of(int.class), 3).withCount("count"), 2)),
            new Member("body", 32, new UnionType("", List.of(new Member("shorts", 0, SHORTS),
                    new Member("wide", 0, ValueType.of(long.class))), 8, 8,
                    Optional.of(new Discriminator("kind", List.of(1L, 2L))))),
            new Member("either", 40, new UnionType("", List.of(new Member("bytes", 0, BYTES),
                    new Member("all", 0, ValueType.of(long.class))), 8, 8, Optional.empty())),
            new Member("late", 48, UnsignedType.of(1, ByteOrder.LITTLE_ENDIAN))), 56, 8);
    private static final String STRUCTS = """
            1020 0000 010000000200000003000000040000000500000006000000 00000000 0100020003000400 0102030405060708 03 00000000000000
            2030 0000 010000000200000003000000040000000500000006000000 00000000 0100000000000000 0102030405060708 ff 00000000000000
            """
            .replaceAll("\\s", "");

    private ReferencesImage() {}

    private static BitFieldType bits(ByteOrder order) {
        return new BitFieldType(UnsignedType.of(2, order), 4, 8);
    }

    static void write(Path base) {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            arena.allocate("messages", MESSAGE, 2).copyFrom(MemorySegment.ofArray(HexFormat.of().parseHex(STRUCTS)));
        }
    }
}
