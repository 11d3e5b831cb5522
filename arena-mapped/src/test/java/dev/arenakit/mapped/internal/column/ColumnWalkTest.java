package dev.arenakit.mapped.internal.column;

import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.ValueType;
import dev.arenakit.mapped.internal.column.buffer.StructColumns;
import dev.arenakit.teststructs.JavaValues;
import dev.arenakit.teststructs.RandomStruct;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Columns have the values that the walk over structs finds.
class ColumnWalkTest {
    private static final ColumnTypes VECTORS = new ColumnTypes(3, 0, 200_000, UnaryOperator.identity());
    private static final ColumnTypes PORTABLE = new ColumnTypes(Integer.MAX_VALUE, Integer.MAX_VALUE, Long.MAX_VALUE,
            UnaryOperator.identity()).portable(Set.of());
    private static final int ROWS = 3;

    @Test
    void values_ofRandomStructs_areEqualInBothWalks() {
        check(0, 30);
    }

    // It takes minutes.
    @Test
    @Tag("slow")
    void values_of100_000RandomStructs_areEqualInBothWalks() {
        check(30, 100_030);
    }

    private static void check(int from, int to) {
        for (int seed = from; seed < to; seed++) {
            RandomStruct structs = new RandomStruct(seed);
            StructType type = structs.type(seed % 4);
            if (type.byteSize() > 0) {
                checkValid(structs, type, "seed " + seed);
                checkAny(new Random(seed), type, "seed " + seed);
            }
        }
    }

    private static void checkValid(RandomStruct structs, StructType type, String description) {
        MemorySegment segment = MemorySegment.ofArray(new byte[Math.toIntExact(ROWS * type.byteSize())]);
        List<List<@Nullable Object>> model = new ArrayList<>();
        for (long i = 0; i < ROWS; i++) {
            MemorySegment struct = segment.asSlice(i * type.byteSize(), type.byteSize());
            structs.fill(type, struct);
            model.add(JavaValues.columns(type, struct));
        }
        assertThat(ColumnValues.of(PORTABLE, type, segment)).as(description).isEqualTo(model);
        assertThat(ColumnValues.of(VECTORS, type, segment)).as(description).isEqualTo(model);
        assertThat(visited(type, segment)).as(description).contains(model);
    }

    /// Random bytes are a value in both walks, or in none.
    private static void checkAny(Random random, StructType type, String description) {
        byte[] bytes = new byte[Math.toIntExact(type.byteSize())];
        random.nextBytes(bytes);
        MemorySegment segment = MemorySegment.ofArray(bytes);
        Optional<List<List<@Nullable Object>>> visited = visited(type, segment);
        if (visited.isPresent()) {
            assertThat(ColumnValues.of(PORTABLE, type, segment)).as(description).isEqualTo(visited.get());
            assertThat(ColumnValues.of(VECTORS, type, segment)).as(description).isEqualTo(visited.get());
        } else {
            assertThatThrownBy(() -> ColumnValues.of(PORTABLE, type, segment), description)
                    .isInstanceOf(ConversionFailure.class);
            assertThatThrownBy(() -> ColumnValues.of(VECTORS, type, segment), description)
                    .isInstanceOf(ConversionFailure.class);
        }
    }

    private static Optional<List<List<@Nullable Object>>> visited(StructType type, MemorySegment structs) {
        try {
            return Optional.of(VisitedValues.of(type, structs));
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    @Test
    void failure_namesTheOffsetOfTheValue() {
        StructType type = StructType.builder("S")
                .add("number", ValueType.of(int.class))
                .add("texts", ArrayType.of(StringType.of(4, StandardCharsets.UTF_8), 2))
                .add("side", new EnumType("Side", ValueType.of(byte.class),
                        List.of(new EnumType.Constant("BUY", 0)), Optional.empty()))
                .build();
        MemorySegment structs = MemorySegment.ofArray(new byte[(int) (1000 * type.byteSize())]);
        long side = 700 * type.byteSize() + type.member("side").orElseThrow().byteOffset();
        structs.set(JAVA_BYTE, side, (byte) 7);
        assertThatThrownBy(() -> ColumnValues.of(VECTORS, type, structs))
                .hasMessage("not a constant of the enum: enum=Side, value=7")
                .hasFieldOrPropertyWithValue("byteOffset", side);
        long text = 999 * type.byteSize() + type.member("texts").orElseThrow().byteOffset() + 4;
        structs.set(JAVA_BYTE, side, (byte) 0);
        structs.set(JAVA_BYTE, text, (byte) 0xff);
        assertThatThrownBy(() -> ColumnValues.of(PORTABLE, type, structs))
                .hasMessage("not a text in UTF-8: bytes=ff")
                .hasFieldOrPropertyWithValue("byteOffset", text);
    }

    @Test
    void list_of100_000Elements_isCopiedInOrder() {
        int length = 100_000;
        StructType type = StructType.builder("S")
                .add("count", ValueType.of(int.class, ByteOrder.BIG_ENDIAN))
                .add("numbers", ArrayType.of(ValueType.of(int.class), length).withCount("count"))
                .build();
        MemorySegment structs = MemorySegment.ofArray(new byte[(int) (2 * type.byteSize())]);
        structs.set(JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN), 0, length);
        structs.set(JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN), type.byteSize(), 2);
        for (int i = 0; i < 2 * length; i++) {
            structs.set(JAVA_INT_UNALIGNED, (i / length + 1) * 4L + i * 4L, i);
        }
        List<List<@Nullable Object>> rows = ColumnValues.of(VECTORS, type, structs);
        assertThat((List<?>) rows.get(0).get(1)).hasSize(length).first().isEqualTo(0L);
        assertThat((List<?>) rows.get(0).get(1)).last().isEqualTo(length - 1L);
        assertThat(rows.get(1).get(1)).isEqualTo(List.of((long) length, length + 1L));
    }

    @Test
    void list_ofMoreElementsThanTheLimit_isRefusedAtItsOffset() {
        StructType type = StructType.builder("S")
                .add("count", ValueType.of(byte.class))
                .add("numbers", ArrayType.of(ValueType.of(byte.class), 3).withCount("count"))
                .build();
        ColumnTypes types = new ColumnTypes(3, 0, 5, UnaryOperator.identity());
        MemorySegment structs = MemorySegment.ofArray(new byte[]{3, 1, 2, 3, 2, 4, 5, 6});
        assertThat(ColumnValues.of(types, type, structs).get(1).get(1)).isEqualTo(List.of(4L, 5L));
        structs.set(JAVA_BYTE, 4, (byte) 3);
        assertThatThrownBy(() -> ColumnValues.of(types, type, structs)).isInstanceOf(ConversionFailure.class)
                .hasMessage("too many elements: length=6, limit=5")
                .hasFieldOrPropertyWithValue("byteOffset", 5L);
    }

    /// A shorter text is followed by a NUL and other bytes, which do not belong to it.
    @Test
    void texts_ofEachLength_endAtTheFirstNul() {
        for (int length = 1; length <= 20; length++) {
            StructType type = StructType.builder("S")
                    .add("text", StringType.of(length, StandardCharsets.UTF_8))
                    .build();
            List<String> texts = new ArrayList<>();
            for (int size = 0; size <= length; size++) {
                texts.add("abcdefghijklmnopqrst".substring(0, size));
                texts.add("x".repeat(Math.max(0, size - 2)) + (size < 2 ? "" : "é"));
            }
            MemorySegment structs = MemorySegment.ofArray(new byte[length * texts.size()]).fill((byte) '!');
            for (int i = 0; i < texts.size(); i++) {
                byte[] bytes = texts.get(i).getBytes(StandardCharsets.UTF_8);
                MemorySegment.copy(bytes, 0, structs, JAVA_BYTE, (long) i * length, bytes.length);
                if (bytes.length < length) {
                    structs.set(JAVA_BYTE, (long) i * length + bytes.length, (byte) 0);
                }
            }
            for (ColumnTypes types : List.of(VECTORS, PORTABLE)) {
                assertThat(ColumnValues.of(types, type, structs)).as("length %d", length)
                        .containsExactlyElementsOf(texts.stream().map(List::<@Nullable Object>of).toList());
            }
        }
    }

    @Test
    void memory_ofManyBatches_isTheMemoryOfTheLargest() {
        int length = 100_000;
        StructType type = StructType.builder("S")
                .add("count", ValueType.of(int.class))
                .add("numbers", ArrayType.of(ValueType.of(int.class), length).withCount("count"))
                .add("bytes", ArrayType.of(ValueType.of(byte.class), 1 << 20))
                .add("text", StringType.of(1 << 20, StandardCharsets.UTF_8))
                .build();
        MemorySegment structs = MemorySegment.ofArray(new byte[(int) type.byteSize()]);
        long text = type.member("text").orElseThrow().byteOffset();
        structs.asSlice(text, 1 << 20).fill((byte) 'x');
        structs.set(JAVA_INT_UNALIGNED, 0, length);
        AtomicLong allocated = new AtomicLong();
        StructColumns columns = new StructColumns(new ColumnTypes(3, 0, 1 << 20, UnaryOperator.identity()).of(type),
                type.byteSize(), (byteSize, _) -> {
                    allocated.addAndGet(byteSize);
                    return MemorySegment.ofArray(new byte[Math.toIntExact(byteSize)]);
                });
        for (int batch = 0; batch < 5; batch++) {
            columns.begin();
            columns.write(structs, 0, type.byteSize(), 1, 0);
        }
        assertThat(allocated.get()).isBetween(type.byteSize(), type.byteSize() + 1000);
    }
}
