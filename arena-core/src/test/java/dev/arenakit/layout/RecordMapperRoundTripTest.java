package dev.arenakit.layout;

import dev.arenakit.internal.layout.declaration.GivenStruct;
import dev.arenakit.internal.layout.declaration.StructTypeReader;
import dev.arenakit.internal.layout.record.RecordSize;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class RecordMapperRoundTripTest {
    private static final List<Class<? extends Record>> ALL = RecordSamples.ALL;
    private static final int COUNT = 3;
    private static final byte BEFORE = 0x5a;

    @ParameterizedTest
    @FieldSource("ALL")
    <R> void set_randomRecordsInNativeMemoryAndOnTheHeap_readsThemBack(Class<R> type) {
        RecordMapper<R> mapper = RecordMapper.of(type);
        try (Arena arena = Arena.ofConfined()) {
            check(type, mapper, mapper.allocate(arena, COUNT), 0);
        }
        if (mapper.type().byteAlignment() <= Long.BYTES) {
            long[] array = new long[(int) (COUNT * mapper.byteSize() / Long.BYTES) + 1];
            check(type, mapper, MemorySegment.ofArray(array), 0);
        }
    }

    static Stream<Class<? extends Record>> packed() {
        return ALL.stream().filter(type -> StructTypeReader.ofRecord(type).byteAlignment() == 1);
    }

    @ParameterizedTest
    @MethodSource("packed")
    <R> void set_packedRecordsAtAnyAddress_readsThemBack(Class<R> type) {
        RecordMapper<R> mapper = RecordMapper.of(type);
        byte[] array = new byte[(int) (COUNT * mapper.byteSize()) + 7];
        check(type, mapper, MemorySegment.ofArray(array), 7);
        try (Arena arena = Arena.ofConfined()) {
            check(type, mapper, arena.allocate(array.length), 3);
        }
    }

    /// Writes records, first in order and then over each other, and compares all bytes with the bytes of the reference.
    private static <R> void check(Class<R> type, RecordMapper<R> mapper, MemorySegment segment, long offset) {
        RandomRecords random = new RandomRecords(new Random(type.getName().hashCode()));
        byte[] expected = new byte[(int) segment.byteSize()];
        Arrays.fill(expected, BEFORE);
        segment.fill(BEFORE);
        MemorySegment records = segment.asSlice(offset);
        for (int i = 0; i < 3 * COUNT; i++) {
            R record = random.next(type);
            int index = i % COUNT;
            int byteOffset = (int) (index * mapper.byteSize());
            if (i < COUNT || i % 2 == 0) {
                mapper.setAtIndex(records, index, record);
            } else {
                mapper.set(segment, offset + byteOffset, record);
            }
            zeroParts(expected, (int) offset + byteOffset, mapper.type(), record);
            ReferenceCodec.write(expected, (int) offset + byteOffset, record, mapper.type());

            assertThat(segment.toArray(ValueLayout.JAVA_BYTE)).as("%s", record).isEqualTo(expected);
            assertThat(mapper.getAtIndex(records, index)).matches(read -> RandomRecords.equal(read, record));
            assertThat(mapper.get(segment, offset + byteOffset)).matches(read -> RandomRecords.equal(read, record));
        }
    }

    /// Clears the bytes that become 0: arrays of records, and large records, unless they contain a counted array.
    private static void zeroParts(byte[] bytes, int offset, StructType type, Object record) {
        if (RecordSize.of(type).isLarge() && !GivenStruct.isPartial(record.getClass(), type)) {
            Arrays.fill(bytes, offset, offset + (int) type.byteSize(), (byte) 0);
            return;
        }
        for (int i = 0; i < type.members().size(); i++) {
            Member member = type.members().get(i);
            int from = offset + (int) member.byteOffset();
            Object value = RandomRecords.get(record.getClass().getRecordComponents()[i], record);
            if (member.type() instanceof ArrayType array && array.element() instanceof StructType element
                    && !GivenStruct.isPartial(value.getClass().getComponentType(), element)) {
                int length = Array.getLength(value) * (int) element.byteSize();
                Arrays.fill(bytes, from, from + length, (byte) 0);
            } else if (member.type() instanceof StructType nested) {
                zeroParts(bytes, from, nested, value);
            }
        }
    }
}
