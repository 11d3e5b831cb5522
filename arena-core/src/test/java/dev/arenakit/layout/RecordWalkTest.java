package dev.arenakit.layout;

import dev.arenakit.dump.LayoutDump;
import dev.arenakit.dump.StructVisitor;
import dev.arenakit.internal.layout.declaration.UnionRecords;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.RefType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.ValueType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.lang.reflect.Proxy;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

/// The walk over the values of structs finds the values that mappers read: numbers, texts, enums and addresses in their
/// order, of the valid elements of arrays and the valid members of unions.
class RecordWalkTest {
    @Test
    void visit_randomRecords_findsTheValuesThatTheMapperReads() throws IOException {
        check(5);
    }

    // It takes a minute.
    @Test
    @Tag("slow")
    void visit_100_000RandomRecords_findsTheValuesThatTheMapperReads() throws IOException {
        check(100_000 / RecordSamples.ALL.size());
    }

    private static void check(int count) throws IOException {
        for (Class<? extends Record> type : RecordSamples.ALL) {
            check(type, count);
        }
    }

    private static <R> void check(Class<R> type, int count) throws IOException {
        RecordMapper<R> mapper = RecordMapper.of(type);
        Random random = new Random(type.getName().hashCode());
        RandomRecords records = new RandomRecords(random);
        byte[] noise = new byte[(int) mapper.byteSize()];
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment struct = mapper.allocate(arena);
            for (int i = 0; i < count; i++) {
                random.nextBytes(noise);
                MemorySegment.copy(noise, 0, struct, JAVA_BYTE, 0, noise.length);
                mapper.set(struct, records.next(type));
                List<Object> expected = new ArrayList<>();
                addRecord(mapper.get(struct), mapper.type(), expected);
                assertThat(visited(mapper.type(), struct)).as("%s %s", type, i).isEqualTo(expected);
            }
        }
    }

    /// The values of a struct in the order of the walk.
    private static List<Object> visited(StructType type, MemorySegment struct) throws IOException {
        List<Object> values = new ArrayList<>();
        StructVisitor visitor = (StructVisitor) Proxy.newProxyInstance(StructVisitor.class.getClassLoader(),
                new Class<?>[]{StructVisitor.class}, (_, method, arguments) -> {
                    switch (method.getName()) {
                        case "integer", "unsigned", "floating", "character", "bool", "address" ->
                            values.add(arguments[0]);
                        case "constant" -> values.add(arguments[1].equals("")
                                ? ((EnumType) arguments[0]).otherwise().orElseThrow()
                                : arguments[1]);
                        case "reference" -> values.add(((RefType) arguments[0]).byteOffset((long) arguments[1]));
                        case "text" -> values.add(((StructVisitor.Text) arguments[0]).string());
                        case "cutOff" -> throw new AssertionError(method);
                        default -> {
                            // Names and offsets are tested elsewhere.
                        }
                    }
                    return null;
                });
        LayoutDump.of(type).withEveryElement().visit(struct, visitor);
        return values;
    }

    private static void addRecord(Object record, MemoryType type, List<Object> values) {
        RecordComponent[] components = record.getClass().getRecordComponents();
        for (int i = 0; i < components.length; i++) {
            Object value = RandomRecords.get(components[i], record);
            MemoryType member = type.members().get(i).type();
            if (member instanceof UnionType union) {
                int variant = UnionRecords.of(components[i].getType()).indexOf(value.getClass());
                addRecord(value, union.members().get(variant).type(), values);
            } else {
                add(value, member, values);
            }
        }
    }

    private static void add(Object value, MemoryType type, List<Object> values) {
        if (value instanceof Record record) {
            addRecord(record, type, values);
        } else if (type instanceof ArrayType array) {
            for (int i = 0; i < Array.getLength(value); i++) {
                add(Objects.requireNonNull(Array.get(value, i)), array.element(), values);
            }
        } else {
            values.add(leaf(value, type));
        }
    }

    private static Object leaf(Object value, MemoryType type) {
        return switch (value) {
            case Enum<?> constant -> constant.name();
            case Ref<?> reference -> reference.byteOffset();
            case MemorySegment address -> address.address();
            case Byte _,Short _,Integer _,Long _ -> integer(((Number) value).longValue(), type);
            case Character letter when !(type instanceof ValueType) -> (long) letter;
            default -> value;
        };
    }

    /// The number of an integer, which is a bit pattern in Java if it is unsigned.
    private static long integer(long value, MemoryType type) {
        return type.integer()
                .filter(integer -> !integer.isSigned())
                .map(integer -> value & -1L >>> (Long.SIZE - integer.bitSize()))
                .orElse(value);
    }
}
