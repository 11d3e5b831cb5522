package dev.arenakit.layout.type;

import dev.arenakit.internal.Sizes;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SequencedMap;

/// Random structs of all types, from a seed.
public final class RandomTypes {
    private static final List<Class<?>> CARRIERS = List.of(boolean.class, byte.class, short.class, char.class,
            int.class, long.class, float.class, double.class);
    private static final List<Class<?>> ENUM_CARRIERS = List.of(byte.class, short.class, int.class, long.class);

    private final Random random;
    private final String prefix;
    private int names;
    /// The path of the discriminator of the unions in the struct.
    private String kindPath = "kind";
    /// Whether unions have discriminators.
    private boolean asksKind;
    /// Whether arrays have counts.
    private boolean asksCount;

    private RandomTypes(Random random, String prefix) {
        this.random = random;
        this.prefix = prefix;
    }

    /// Structs with odd offsets, sizes and alignments.
    public static StructType any(Random random, String prefix) {
        return new RandomTypes(random, prefix).struct(prefix, 4);
    }

    private MemoryType type(int depth) {
        MemoryType type = natural(depth);
        return random.nextInt(6) == 0 ? type.withByteAlignment(1L << random.nextInt(6)) : type;
    }

    private MemoryType natural(int depth) {
        return switch (random.nextInt(depth > 0 ? 13 : 7)) {
            case 0, 1 -> ValueType.of(pick(CARRIERS), order());
            case 2 -> UnsignedType.of(1 + random.nextInt(8), order());
            case 3 -> text();
            case 4 -> constants();
            case 5 -> new AddressType(Optional.empty(), order(), 8);
            case 6 -> reference();
            case 7 -> new AddressType(Optional.of(type(depth - 1)), order(), 8);
            case 8, 9 -> array(depth);
            case 10, 11 -> struct(name("Part"), depth - 1);
            default -> union(depth);
        };
    }

    private RefType reference() {
        int byteSize = 4 << random.nextInt(2);
        return new RefType(random.nextInt(4) == 0 ? "" : name("Part"), 1 + random.nextInt(100),
                1L << random.nextInt(5), pick(List.of(Optional.empty(), Optional.of("a"), Optional.of("ä */ //\\ 1"))),
                byteSize, order(), byteSize);
    }

    private MemoryType array(int depth) {
        MemoryType element = type(depth - 1);
        boolean fits = element.byteSize() % element.byteAlignment() == 0;
        if (!fits) {
            return element;
        }
        ArrayType array = ArrayType.of(element, random.nextInt(random.nextInt(4) == 0 ? 20 : 5));
        boolean counted = random.nextInt(4) == 0;
        asksCount |= counted;
        return counted ? array.withCount("count") : array;
    }

    private StringType text() {
        StringType text = StringType.of(1 + random.nextInt(20), pick(List.of(StandardCharsets.UTF_8,
                StandardCharsets.US_ASCII, StandardCharsets.UTF_16BE, StandardCharsets.UTF_16LE,
                StandardCharsets.UTF_32BE, StandardCharsets.UTF_32LE, Charset.forName("windows-1252"))));
        return switch (random.nextInt(4)) {
            case 0 -> text.withPadding(StringType.Padding.SPACE);
            case 2 -> text.withPrefix(1 << random.nextInt(3), order());
            default -> text;
        };
    }

    private EnumType constants() {
        Class<?> carrier = pick(ENUM_CARRIERS);
        boolean unsigned = random.nextInt(3) == 0;
        SequencedMap<String, Long> values = new LinkedHashMap<>();
        int count = random.nextInt(4);
        for (int i = 0; i < count; i++) {
            long value = random.nextInt(3) > 0
                    ? i
                    : carrier == long.class
                            ? random.nextLong()
                            : unsigned ? 0xff - i : -1 - i;
            if (!values.containsValue(value)) {
                values.put("C" + i, value);
            }
        }
        List<EnumType.Constant> constants = new ArrayList<>();
        values.forEach((name, value) -> constants.add(new EnumType.Constant(name, value)));
        MemoryType value = unsigned
                ? UnsignedType.of(ValueType.of(carrier).byteSize(), order())
                : ValueType.of(carrier, order());
        return new EnumType(name("Kind"), value, constants,
                random.nextInt(3) == 0 ? Optional.of("OTHER") : Optional.empty());
    }

    private StructType struct(String name, int depth) {
        StructType.Builder builder = StructType.builder(name);
        if (random.nextInt(5) == 0) {
            builder.packed();
        }
        if (random.nextInt(8) == 0) {
            builder.byteAlignment(1L << random.nextInt(6));
        }
        boolean kindAsked = asksKind;
        boolean countAsked = asksCount;
        String outerPath = kindPath;
        asksKind = false;
        asksCount = false;
        kindPath = random.nextBoolean() ? "kind" : "head.kind";
        int count = random.nextInt(0, 6);
        for (int i = 0; i < count; i++) {
            builder.add("m" + i, type(depth));
            if (random.nextInt(4) == 0) {
                addBits(builder, "b" + i);
            }
        }
        if (asksKind) {
            MemoryType kind = random.nextBoolean() ? constants() : ValueType.of(pick(ENUM_CARRIERS), order());
            builder.add(kindPath.equals("kind") ? "kind" : "head",
                    kindPath.equals("kind") ? kind : StructType.builder(name("Head")).add("kind", kind).build());
        }
        if (asksCount) {
            builder.add("count", UnsignedType.of(2, order()));
        }
        kindPath = outerPath;
        asksKind = kindAsked;
        asksCount = countAsked;
        StructType struct = builder.build();
        return random.nextInt(3) == 0 ? shifted(struct) : struct;
    }

    /// Adds bit fields of one byte order.
    private void addBits(StructType.Builder builder, String prefix) {
        ByteOrder order = order();
        int count = random.nextInt(1, 6);
        for (int i = 0; i < count; i++) {
            MemoryType declared = switch (random.nextInt(4)) {
                case 0 -> ValueType.of(boolean.class);
                case 1 -> ValueType.of(pick(ENUM_CARRIERS), order);
                default -> UnsignedType.of(1L << random.nextInt(4), order);
            };
            int largest = declared instanceof ValueType value && value.carrier() == boolean.class
                    ? 1
                    : 8 * (int) declared.byteSize();
            // The fields of a packed struct may begin anywhere, and extend over 8 bytes at most.
            int bitSize = 1 + random.nextInt(Math.min(57, random.nextBoolean() ? Math.min(9, largest) : largest));
            try {
                builder.addBits(prefix + "_" + i, declared, bitSize, order);
            } catch (IllegalArgumentException _) {
                // A field with a type of one byte extends over two bytes in big-endian order.
            }
        }
    }

    /// Moves the members to larger offsets, in a struct that is larger than they require.
    private StructType shifted(StructType struct) {
        List<Member> members = new ArrayList<>();
        long shift = 0;
        long end = 0;
        for (Member member : struct.members()) {
            if (member.byteOffset() + shift < end) {
                members.add(new Member(member.name(), member.byteOffset() + shift, member.type()));
                end = Math.max(end, members.getLast().limit());
                continue; // a bit field that shares bytes with the one before
            }
            shift += random.nextInt(3) == 0 ? member.type().byteAlignment() * random.nextInt(3) : 0;
            long byteOffset = Sizes.alignUp(member.byteOffset() + shift, member.type().byteAlignment());
            shift = byteOffset - member.byteOffset();
            members.add(new Member(member.name(), byteOffset, member.type()));
            end = members.getLast().limit();
        }
        return new StructType(struct.name(), members, end + random.nextInt(5), struct.byteAlignment());
    }

    private UnionType union(int depth) {
        SequencedMap<String, MemoryType> types = new LinkedHashMap<>();
        List<List<Long>> values = new ArrayList<>();
        int count = random.nextInt(0, 4);
        for (int i = 0; i < count; i++) {
            types.put("u" + i, type(depth - 1));
            values.add(random.nextInt(4) == 0 ? List.of(i * 7L - 3, i * 7L - 1) : List.of(i * 7L - 3));
        }
        if (random.nextInt(6) == 0) {
            types.put("bits", new BitFieldType(UnsignedType.of(4, ByteOrder.LITTLE_ENDIAN), 0, 7));
            values.add(List.of(99L));
        }
        boolean tells = random.nextBoolean();
        boolean other = random.nextBoolean() && !types.isEmpty();
        asksKind |= tells;
        UnionType union = UnionType.of(name("Any"), types, tells
                ? Optional.of(new UnionType.Discriminator(kindPath,
                        other ? values.subList(0, values.size() - 1) : values,
                        other ? Optional.of(types.lastEntry().getKey()) : Optional.empty()))
                : Optional.empty());
        return random.nextInt(4) == 0
                ? new UnionType(union.name(), union.members(), union.byteSize() + random.nextInt(9),
                        union.byteAlignment(), union.discriminator())
                : union;
    }

    /// A unique name, a name that other types have too, or none.
    private String name(String kind) {
        int choice = random.nextInt(6);
        if (choice == 0) {
            return "";
        }
        return prefix + kind + (choice == 1 ? "" : "_" + names++);
    }

    private ByteOrder order() {
        return random.nextInt(3) == 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    }

    private <T> T pick(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
