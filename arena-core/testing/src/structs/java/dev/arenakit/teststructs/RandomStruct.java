package dev.arenakit.teststructs;

import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.RefType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Random;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Random struct types of all kinds of members, and random structs whose texts and enums are valid.
public final class RandomStruct {
    private static final Class<?>[] CARRIERS = {boolean.class, byte.class, short.class, char.class, int.class,
            long.class, float.class, double.class};
    private static final Charset[] CHARSETS = {StandardCharsets.UTF_8, StandardCharsets.US_ASCII,
            StandardCharsets.UTF_16BE, StandardCharsets.UTF_16LE};

    private final Random random;

    public RandomStruct(long seed) {
        random = new Random(seed);
    }

    public StructType type(int depth) {
        StructType.Builder builder = StructType.builder("S" + random.nextInt(1000));
        if (random.nextInt(4) == 0) {
            builder.packed();
        }
        int members = 1 + random.nextInt(7);
        for (int i = 0; i < members; i++) {
            String name = "m" + i;
            switch (random.nextInt(6)) {
                case 0 -> builder.addBits(name, bitType(), 1 + random.nextInt(8));
                case 1 -> {
                    // A count and its array.
                    builder.add("n" + i, UnsignedType.of(1));
                    builder.add(name, ArrayType.of(rounded(element(depth)), random.nextInt(5)).withCount("n" + i));
                }
                case 2 -> {
                    builder.add("kind" + i, ValueType.of(byte.class));
                    builder.add(name, union(depth, Optional.of("kind" + i)));
                }
                default -> builder.add(name, any(depth));
            }
        }
        return builder.build();
    }

    private MemoryType bitType() {
        return switch (random.nextInt(3)) {
            case 0 -> ValueType.of(int.class, order());
            case 1 -> UnsignedType.of(2, order());
            default -> ValueType.of(long.class, order());
        };
    }

    private MemoryType any(int depth) {
        return switch (random.nextInt(depth > 0 ? 9 : 5)) {
            case 0 -> UnsignedType.of(1 + random.nextInt(8), order());
            case 1 -> text();
            case 2 -> constants();
            case 3 -> random.nextBoolean()
                    ? new AddressType(Optional.empty(), order(), Long.BYTES)
                    : new RefType("Node", 24, 8, Optional.of("nodes"), 4, order(), 4);
            case 4 -> ValueType.of(CARRIERS[random.nextInt(CARRIERS.length)], order());
            case 5 -> type(depth - 1);
            case 6 -> union(depth, Optional.empty());
            default -> ArrayType.of(rounded(element(depth)), random.nextInt(5));
        };
    }

    private MemoryType element(int depth) {
        return any(depth - 1);
    }

    /// An element of an array has a size that is a multiple of its alignment.
    private static MemoryType rounded(MemoryType type) {
        return type.byteSize() % type.byteAlignment() == 0 ? type : type.withByteAlignment(1);
    }

    /// A union whose members are valid for any bytes, unless the discriminator selects another member.
    private UnionType union(int depth, Optional<String> discriminator) {
        LinkedHashMap<String, MemoryType> members = new LinkedHashMap<>();
        List<List<Long>> values = new ArrayList<>();
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            members.put("u" + i, discriminator.isPresent() ? any(depth - 1) : UnsignedType.of(1 + random.nextInt(8)));
            values.add(random.nextBoolean() ? List.of((long) i) : List.of((long) i, i + 10L));
        }
        return UnionType.of("", members,
                discriminator.map(name -> new UnionType.Discriminator(name, values, Optional.empty())));
    }

    private StringType text() {
        StringType text = StringType.of(1 + random.nextInt(100), CHARSETS[random.nextInt(CHARSETS.length)]);
        return switch (random.nextInt(4)) {
            case 0 -> text.withPadding(StringType.Padding.SPACE);
            case 1 -> text.withPrefix(1, order());
            default -> text;
        };
    }

    private EnumType constants() {
        List<EnumType.Constant> constants = new ArrayList<>();
        int count = 1 + random.nextInt(300);
        int byteSize = 2 << random.nextInt(2);
        for (int i = 0; i < count; i++) {
            constants.add(new EnumType.Constant("C" + i, i * 7L));
        }
        return new EnumType("E", byteSize == 2 ? ValueType.of(short.class, order()) : UnsignedType.of(4, order()),
                constants, random.nextBoolean() ? Optional.of("OTHER") : Optional.empty());
    }

    private ByteOrder order() {
        return random.nextBoolean() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    }

    /// Fills a struct.
    public void fill(StructType type, MemorySegment struct) {
        byte[] bytes = new byte[(int) struct.byteSize()];
        random.nextBytes(bytes);
        MemorySegment.copy(bytes, 0, struct, JAVA_BYTE, 0, bytes.length);
        repair(type, struct);
    }

    /// Makes texts and enums valid. The members of a union share memory, so only the selected member is made valid.
    private void repair(MemoryType type, MemorySegment at) {
        switch (type) {
            case StructType struct -> struct.members().forEach(member -> repair(member, at, struct));
            case ArrayType array -> {
                for (long i = 0; i < array.length(); i++) {
                    repair(array.element(), at.asSlice(i * array.element().byteSize(), array.element().byteSize()));
                }
            }
            case StringType text -> repairText(text, at);
            case EnumType constants -> {
                if (constants.otherwise().isEmpty() || random.nextBoolean()) {
                    long value = constants.constants().get(random.nextInt(constants.constants().size())).value();
                    int byteSize = (int) constants.byteSize();
                    for (int i = 0; i < byteSize; i++) {
                        int shift = constants.order() == ByteOrder.LITTLE_ENDIAN ? i : byteSize - 1 - i;
                        at.set(JAVA_BYTE, i, (byte) (value >> (8 * shift)));
                    }
                }
            }
            default -> {
            }
        }
    }

    private void repair(Member member, MemorySegment struct, StructType type) {
        MemorySegment at = struct.asSlice(member.byteOffset(), member.type().byteSize());
        if (member.type() instanceof UnionType union) {
            // One more than the number of members: with this value, no member is valid.
            int valid = random.nextInt(union.members().size() + 1);
            union.discriminator()
                    .ifPresent(found -> struct.set(JAVA_BYTE, type.member(found.member()).orElseThrow().byteOffset(),
                            valid < found.values().size()
                                    ? found.values()
                                            .get(valid)
                                            .get(random.nextInt(found.values().get(valid).size()))
                                            .byteValue()
                                    : (byte) valid));
            if (union.discriminator().isPresent() && valid < union.members().size()) {
                MemoryType chosen = union.members().get(valid).type();
                repair(chosen, at.asSlice(0, chosen.byteSize()));
            }
        } else {
            repair(member.type(), at);
        }
    }

    private void repairText(StringType type, MemorySegment at) {
        StringBuilder text = new StringBuilder();
        int most = random.nextInt((int) type.length() + 1);
        while (true) {
            String next = type.charset().equals(StandardCharsets.US_ASCII)
                    ? String.valueOf((char) ('a' + random.nextInt(26)))
                    : Character.toString("aäз漢😀x".codePoints().toArray()[random.nextInt(6)]);
            if ((text + next).getBytes(type.charset()).length > most * type.unitByteSize()) {
                break;
            }
            text.append(next);
        }
        byte[] bytes = text.toString().getBytes(type.charset());
        byte[] space = " ".getBytes(type.charset());
        for (long i = 0; i < at.byteSize(); i++) {
            at.set(JAVA_BYTE, i, type.padding() == StringType.Padding.SPACE ? space[(int) i % space.length] : 0);
        }
        if (type.prefixByteSize() == 1) {
            at.set(JAVA_BYTE, 0, (byte) (bytes.length / type.unitByteSize()));
        }
        MemorySegment.copy(bytes, 0, at, JAVA_BYTE, type.prefixByteSize(), bytes.length);
    }
}
