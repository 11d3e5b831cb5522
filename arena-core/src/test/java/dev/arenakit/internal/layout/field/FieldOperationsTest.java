package dev.arenakit.internal.layout.field;

import dev.arenakit.layout.EnumField;
import dev.arenakit.layout.Field;
import dev.arenakit.layout.IntElements;
import dev.arenakit.layout.LongElements;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.ByteSize;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.annotation.Order;
import dev.arenakit.layout.annotation.Value;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static dev.arenakit.layout.annotation.Order.Endian.BIG_ENDIAN;
import static dev.arenakit.testing.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/// Compares each operation of each kind of field with the VarHandle of the JDK.
@SuppressWarnings("ArrayRecordComponent") // Mapped records may contain arrays.
class FieldOperationsTest {
    enum Colour {
        RED, @Value(1000)
        GREEN, BLUE {
            @Override
            public String toString() {
                return "blue";
            }
        }
    }

    record Everything(byte ofByte, short ofShort, char ofChar, int ofInt, long ofLong, float ofFloat, double ofDouble,
            boolean ofBoolean, MemorySegment ofAddress, Colour ofEnum, @ByteSize(2) Colour shortEnum,
            @Order(BIG_ENDIAN) int bigInt, @Order(BIG_ENDIAN) long bigLong, @Order(BIG_ENDIAN) double bigDouble,
            @Length(3) int[] ints, @Length(3) @Order(BIG_ENDIAN) long[] longs) {}

    private static final RecordMapper<Everything> MAPPER = RecordMapper.of(Everything.class);
    private static final long COUNT = 3;
    private static final int ROUNDS = 8;

    private final Random random = new Random(7); // Any seed works.

    static Stream<Field> fields() {
        return Stream.of(MAPPER.byteField("ofByte"), MAPPER.shortField("ofShort"), MAPPER.charField("ofChar"),
                MAPPER.intField("ofInt"), MAPPER.longField("ofLong"), MAPPER.floatField("ofFloat"),
                MAPPER.doubleField("ofDouble"), MAPPER.booleanField("ofBoolean"), MAPPER.addressField("ofAddress"),
                MAPPER.intField("ofEnum"), MAPPER.shortField("shortEnum"), MAPPER.intField("bigInt"),
                MAPPER.longField("bigLong"), MAPPER.doubleField("bigDouble"), MAPPER.intElements("ints"),
                MAPPER.longElements("longs"));
    }

    @ParameterizedTest
    @MethodSource("fields")
    void operation_ofAField_doesWhatTheVarHandleDoes(Field field) throws Throwable {
        boolean elements = field instanceof IntElements || field instanceof LongElements;
        PathElement member = PathElement.groupElement(field.path());
        VarHandle handle = elements
                ? MAPPER.layout().varHandle(member, PathElement.sequenceElement())
                : MAPPER.layout().varHandle(member);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment ours = MAPPER.allocate(arena, COUNT);
            MemorySegment expected = MAPPER.allocate(arena, COUNT);
            for (int i = 0; i < ROUNDS; i++) {
                for (Method method : operations(field.getClass().getSuperclass())) {
                    long index = random.nextLong(COUNT);
                    boolean atIndex = method.getName().endsWith("AtIndex");
                    List<Object> rest = new ArrayList<>();
                    if (elements) {
                        rest.add(random.nextLong(3));
                    }
                    while (rest.size() < method.getParameterCount() - 2) {
                        rest.add(value(handle.varType()));
                    }
                    Object result = invoke(method, field, ours, atIndex ? index : index * MAPPER.byteSize(), rest);
                    assertThat(result).as(method.getName())
                            .isEqualTo(invoke(handle, method, expected, index * MAPPER.byteSize(), rest));
                    assertThat(ours.mismatch(expected)).as(method.getName()).isEqualTo(-1);
                }
            }
        }
    }

    private static List<Method> operations(Class<?> type) {
        return Stream.of(type.getDeclaredMethods())
                .filter(method -> Modifier.isAbstract(method.getModifiers()))
                .toList();
    }

    private static Object invoke(Method method, Field field, MemorySegment segment, long place, List<Object> rest)
            throws Throwable {
        List<Object> arguments = new ArrayList<>(List.of(segment, place));
        arguments.addAll(rest);
        try {
            return method.invoke(field, arguments.toArray());
        } catch (InvocationTargetException e) {
            return Objects.requireNonNull(e.getCause()).getClass();
        }
    }

    private static Object invoke(VarHandle handle, Method method, MemorySegment segment, long place, List<Object> rest)
            throws Throwable {
        VarHandle.AccessMode mode = VarHandle.AccessMode.valueFromMethodName(method.getName().replace("AtIndex", ""));
        if (!handle.isAccessModeSupported(mode)) {
            return UnsupportedOperationException.class;
        }
        MethodHandle operation = MethodHandles.insertArguments(handle.toMethodHandle(mode), 0, segment, place);
        return operation.invokeWithArguments(rest);
    }

    private Object value(Class<?> type) {
        // Few different values, so that the expected one is sometimes the current one.
        int number = random.nextInt(3) * 0x01020304;
        return switch (type.getName()) {
            case "byte" -> (byte) number;
            case "short" -> (short) number;
            case "char" -> (char) number;
            case "int" -> number;
            case "long" -> (long) number << 16;
            case "float" -> (float) number;
            case "double" -> (double) number;
            case "boolean" -> number != 0;
            default -> MemorySegment.ofAddress(number);
        };
    }

    @Test
    void enumField_everyMode_isAConstant() {
        MemorySegment segment = MAPPER.allocate(Arena.ofAuto(), 2);
        EnumField<Colour> field = MAPPER.enumField("ofEnum", Colour.class);
        field.setAtIndex(segment, 1, Colour.GREEN);
        assertThat(MAPPER.intField("ofEnum").getAtIndex(segment, 1)).isEqualTo(1000);
        assertThat(field.getAcquire(segment, MAPPER.byteSize())).isEqualTo(Colour.GREEN);
        assertThat(field.compareAndSetAtIndex(segment, 1, Colour.RED, Colour.BLUE)).isFalse();
        assertThat(field.compareAndExchangeAtIndex(segment, 1, Colour.GREEN, Colour.BLUE)).isEqualTo(Colour.GREEN);
        assertThat(field.getAndSetAtIndex(segment, 1, Colour.RED)).isEqualTo(Colour.BLUE);
        assertThat(field.getAtIndex(segment, 1)).isEqualTo(Colour.RED);
    }

    @Test
    void enumField_ofTwoBytes_hasNoAtomicOperations() {
        MemorySegment segment = MAPPER.allocate(Arena.ofAuto(), 1);
        EnumField<Colour> field = MAPPER.enumField("shortEnum", Colour.class);
        field.setVolatile(segment, 0, Colour.GREEN);
        assertThat(field.getOpaque(segment, 0)).isEqualTo(Colour.GREEN);
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> field.getAndSet(segment, 0, Colour.RED));
    }

    @Test
    void getAndSet_whereThePreviousValueIsUnknown_isRefusedAfterTheWrite() {
        MemorySegment segment = MAPPER.allocate(Arena.ofAuto(), 1);
        EnumField<Colour> field = MAPPER.enumField("ofEnum", Colour.class);
        MAPPER.intField("ofEnum").set(segment, 0, 5);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> field.compareAndExchange(segment, 0, Colour.RED, Colour.GREEN));
        assertThat(MAPPER.intField("ofEnum").get(segment, 0)).isEqualTo(5);
        assertThatIllegalArgumentException().isThrownBy(() -> field.getAndSet(segment, 0, Colour.GREEN));
        assertThat(field.get(segment, 0)).isEqualTo(Colour.GREEN);
    }

    enum Other {
        ONE
    }

    @Test
    void enumField_ofAnotherEnum_isRefused() {
        assertRefused(() -> MAPPER.enumField("ofEnum", Other.class), "do not agree");
        assertThatIllegalArgumentException().isThrownBy(() -> MAPPER.enumField("ofInt", Other.class))
                .withMessage("Field is of another type: expected=java.lang.Enum, layout=Everything, path=ofInt, "
                        + "type=int; use intField");
    }

    @Test
    void elements_outsideOfTheArray_areNamed() {
        MemorySegment segment = MAPPER.allocate(Arena.ofAuto(), 2);
        for (long element : new long[]{-1, 3, Long.MAX_VALUE}) {
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> MAPPER.longElements("longs").getAndAddAtIndex(segment, 1, element, 1))
                    .withMessage("Element is not within the array: element=" + element
                            + ", length=3, layout=Everything, path=longs");
        }
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> MAPPER.longElements("longs").getAtIndex(segment, 2, 0))
                .withMessageStartingWith("Struct is not within the segment: index=2, layout=Everything");
    }
}
