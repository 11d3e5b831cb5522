package dev.arenakit.layout;

import dev.arenakit.internal.layout.declaration.StructTypeReader;
import dev.arenakit.internal.layout.declaration.UnionRecords;
import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.RefType;
import dev.arenakit.layout.type.StoredInteger;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;

/// Random values of record classes that fit their structs.
final class RandomRecords {
    private static final List<String> CHARACTERS = List.of("a", "Z", "?", " ", "~", "\u007f", "ä", "€", "漢", "\uFFFD",
            "😀", "\u0001");

    private final RandomGenerator random;

    RandomRecords(RandomGenerator random) {
        this.random = random;
    }

    <R> R next(Class<R> type) {
        return type.cast(record(type, StructTypeReader.ofRecord(type)));
    }

    private Object record(Class<?> type, StructType struct) {
        RecordComponent[] components = type.getRecordComponents();
        Object[] values = new Object[components.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = value(components[i].getType(), struct.members().get(i).type());
        }
        for (int i = 0; i < values.length; i++) {
            if (struct.members().get(i).type() instanceof UnionType union) {
                UnionType.Discriminator discriminator = union.discriminator().orElseThrow();
                int variant = random.nextInt(union.members().size());
                for (int before = 0; before < i; before++) {
                    if (struct.members().get(before).type() instanceof UnionType other
                            && other.discriminator().orElseThrow().member().equals(discriminator.member())) {
                        variant = UnionRecords.of(components[before].getType()).indexOf(values[before].getClass());
                    }
                }
                Class<?> permitted = UnionRecords.of(components[i].getType()).get(variant);
                values[i] = record(permitted, (StructType) union.members().get(variant).type());
                tell(values, components, struct, discriminator.member(),
                        variant < discriminator.values().size()
                                ? any(discriminator.values().get(variant))
                                : other(discriminator.values().stream().flatMap(List::stream).toList()));
            }
        }
        for (int i = 0; i < values.length; i++) {
            if (struct.members().get(i).type() instanceof ArrayType array && array.count().isPresent()) {
                int count = struct.members().indexOf(struct.member(array.count().get()).orElseThrow());
                values[count] = number(components[count].getType(), Array.getLength(values[i]));
            }
        }
        return create(type, values);
    }

    private long any(List<Long> values) {
        return values.get(random.nextInt(values.size()));
    }

    /// Gives a number to a component of a record or of a nested record.
    private static void tell(Object[] values, RecordComponent[] components, StructType struct, String path,
            long value) {
        String[] steps = path.split("\\.", 2);
        int index = struct.members().indexOf(struct.member(steps[0]).orElseThrow());
        Class<?> type = components[index].getType();
        if (steps.length == 1) {
            values[index] = telling(type, struct.members().get(index).type(), value);
            return;
        }
        RecordComponent[] inner = type.getRecordComponents();
        Object outer = values[index];
        Object[] nested = Arrays.stream(inner).map(component -> get(component, outer)).toArray();
        tell(nested, inner, (StructType) struct.members().get(index).type(), steps[1], value);
        values[index] = create(type, nested);
    }

    private static Object create(Class<?> type, Object[] values) {
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(Arrays.stream(type.getRecordComponents())
                    .map(RecordComponent::getType)
                    .toArray(Class<?>[]::new));
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("A record has a canonical constructor", e);
        }
    }

    /// Returns a small value that differs from all given values.
    private static long other(List<Long> values) {
        long value = 100;
        while (values.contains(value)) {
            value++;
        }
        return value;
    }

    private static Object telling(Class<?> type, MemoryType memory, long value) {
        if (memory instanceof EnumType asEnum) {
            List<Long> values = asEnum.constants().stream().map(EnumType.Constant::value).toList();
            return type.getEnumConstants()[values.indexOf(value)];
        }
        return number(type, value);
    }

    private static Object number(Class<?> type, long value) {
        return switch (type.getName()) {
            case "boolean" -> value != 0;
            case "byte" -> (byte) value;
            case "short" -> (short) value;
            case "char" -> (char) value;
            case "int" -> (int) value;
            default -> value;
        };
    }

    private Object value(Class<?> type, MemoryType memory) {
        return switch (memory) {
            case ValueType _ -> primitive(type);
            case StringType text -> text(text);
            case EnumType asEnum -> {
                Enum<?> constant = (Enum<?>) type.getEnumConstants()[random.nextInt(type.getEnumConstants().length)];
                yield asEnum.otherwise().isPresent() && asEnum.otherwise().get().equals(constant.name())
                        ? type.getEnumConstants()[0]
                        : constant;
            }
            case AddressType _ -> MemorySegment.ofAddress(random.nextLong(1L << 47));
            case RefType reference -> reference(reference);
            case ArrayType array -> {
                int length = array.count().isPresent()
                        ? random.nextInt((int) array.length() + 1)
                        : (int) array.length();
                Object values = Array.newInstance(type.getComponentType(), length);
                for (int i = 0; i < length; i++) {
                    Array.set(values, i, value(type.getComponentType(), array.element()));
                }
                yield values;
            }
            case StructType struct -> record(type, struct);
            case UnionType _ -> "to be replaced";
            case BitFieldType bits when bits.declared() instanceof EnumType asEnum -> value(type, asEnum);
            case UnsignedType _,BitFieldType _ -> {
                StoredInteger integer = memory.integer().orElseThrow();
                long low = random.nextLong() << (Long.SIZE - integer.bitSize());
                int shift = Long.SIZE - integer.bitSize();
                yield number(type, integer.isSigned() ? low >> shift : low >>> shift);
            }
        };
    }

    private Object reference(RefType type) {
        long largest = type.byteSize() == Long.BYTES ? Long.MAX_VALUE - 8 : 0xffff_fffeL * type.unit();
        return random.nextInt(4) == 0
                ? Ref.none()
                : RecordMapper.of(RecordSamples.One.class).ref(8 * random.nextLong(largest / 8 + 1));
    }

    private Object primitive(Class<?> type) {
        return switch (type.getName()) {
            case "boolean" -> random.nextBoolean();
            case "byte" -> (byte) random.nextInt();
            case "short" -> (short) random.nextInt();
            case "char" -> (char) random.nextInt();
            case "int" -> random.nextInt();
            case "long" -> random.nextLong();
            case "float" -> Float.intBitsToFloat(random.nextInt() & 0x7f7fffff);
            case "double" -> Double.longBitsToDouble(random.nextLong() & 0x7fefffffffffffffL);
            default -> throw new AssertionError(type);
        };
    }

    private String text(StringType type) {
        Charset charset = type.charset();
        StringBuilder text = new StringBuilder();
        while (true) {
            String next = CHARACTERS.get(random.nextInt(CHARACTERS.size()));
            if (!charset.newEncoder().canEncode(next)) {
                continue;
            }
            if ((text + next).getBytes(charset).length > type.byteSize() - type.prefixByteSize()
                    || random.nextInt(8) == 0) {
                return type.padding() == StringType.Padding.SPACE ? text.toString().stripTrailing() : text.toString();
            }
            text.append(next);
        }
    }

    /// Returns whether two values are equal; arrays are compared by their elements.
    static boolean equal(Object a, Object b) {
        if (a.getClass() != b.getClass()) {
            return Objects.equals(a, b);
        }
        if (a.getClass().isArray()) {
            int length = Array.getLength(a);
            boolean equal = length == Array.getLength(b);
            for (int i = 0; equal && i < length; i++) {
                equal = equal(Array.get(a, i), Array.get(b, i));
            }
            return equal;
        }
        if (a instanceof MemorySegment one) {
            return one.address() == ((MemorySegment) b).address();
        }
        if (a.getClass().isRecord()) {
            return Arrays.stream(a.getClass().getRecordComponents())
                    .allMatch(component -> equal(get(component, a), get(component, b)));
        }
        return a.equals(b);
    }

    static Object get(RecordComponent component, Object record) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("A record has accessors", e);
        }
    }
}
