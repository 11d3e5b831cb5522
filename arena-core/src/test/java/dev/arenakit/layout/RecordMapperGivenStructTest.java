package dev.arenakit.layout;

import dev.arenakit.internal.layout.declaration.StructTypeReader;
import dev.arenakit.layout.annotation.Bits;
import dev.arenakit.layout.annotation.Encoding;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.annotation.Name;
import dev.arenakit.layout.annotation.Unsigned;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static dev.arenakit.testing.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@SuppressWarnings("ArrayRecordComponent") // Mapped records may contain arrays.
class RecordMapperGivenStructTest {
    record Leg(int quantity, @Name("px") double price) {}

    record Trade(long id, @Bits(3) @Unsigned(1) int flags, Leg first, @Length(2) Leg[] legs, @Length(4) String venue) {}

    private static StructType leg(ByteOrder order) {
        return StructType.builder("leg")
                .add("px", ValueType.of(double.class, order))
                .add("fee", ValueType.of(int.class))
                .add("quantity", ValueType.of(int.class, order))
                .build();
    }

    private static StructType trade() {
        return StructType.builder("trade")
                .add("before", ValueType.of(short.class))
                .addBits("other", UnsignedType.of(1), 5)
                .addBits("flags", UnsignedType.of(1), 3)
                .add("venue", StringType.of(4, StandardCharsets.UTF_8))
                .add("legs", ArrayType.of(leg(ByteOrder.BIG_ENDIAN), 2))
                .add("first", leg(ByteOrder.LITTLE_ENDIAN))
                .add("id", ValueType.of(long.class, ByteOrder.BIG_ENDIAN))
                .add("after", ValueType.of(int.class))
                .build();
    }

    @Test
    void set_structWithUnknownMembers_changesNoneOfTheirBytes() {
        RecordMapper<Trade> mapper = RecordMapper.of(Trade.class, trade());
        for (byte before : new byte[]{0, -1, 0x5a}) {
            MemorySegment segment = MemorySegment.ofArray(new long[(int) mapper.byteSize() / 8]).fill(before);
            Trade trade = new Trade(7, 5, new Leg(1, 2.5), new Leg[]{new Leg(3, 4.5), new Leg(5, 6.5)}, "XNYS");

            mapper.setAtIndex(segment, 0, trade);

            assertThat(mapper.getAtIndex(segment, 0)).matches(read -> RandomRecords.equal(read, trade));
            for (String path : new String[]{"before", "after", "legs[0].fee", "legs[1].fee", "first.fee"}) {
                assertThat(segment.get(ValueLayout.JAVA_BYTE, mapper.field(path).byteOffset())).as(path)
                        .isEqualTo(before);
            }
            assertThat(segment.get(ValueLayout.JAVA_BYTE, 2) & 0x1f).isEqualTo(before & 0x1f);
            assertThat(segment.get(ValueLayout.JAVA_BYTE, 2) >> 5 & 7).isEqualTo(5);
        }
        assertThat(mapper.type()).isEqualTo(trade());
        assertThat(RecordMapper.of(Trade.class, trade())).isSameAs(mapper);
        assertThat(RecordMapper.of(MethodHandles.lookup(), Trade.class, trade())).isSameAs(mapper);
        assertThat(RecordMapper.of(Trade.class)).isNotSameAs(mapper);
    }

    static Stream<Class<? extends Record>> samples() {
        return RecordSamples.ALL.stream();
    }

    /// The struct in the other byte order, without alignment and with members before, between and behind, is read and
    /// written as the struct of the class.
    @ParameterizedTest
    @MethodSource("samples")
    <R> void set_randomRecordsInAStructOfTheOtherOrder_readsThemBack(Class<R> type) {
        StructType own = StructTypeReader.ofRecord(type);
        StructType.Builder builder = StructType.builder("other").add("before_", ValueType.of(byte.class));
        // Bit fields of one byte do not move with the others.
        boolean mixed = type == RecordSamples.Bitfields.class || type == RecordSamples.WideBits.class;
        StructType other = mixed ? own : own.withOrder(ByteOrder.BIG_ENDIAN);
        other.withByteAlignment(1)
                .members()
                .forEach(member -> builder
                        .add(member.name() + "_before", ValueType.of(byte.class))
                        .add(member.name(), member.type()));
        StructType given = builder.build();
        RecordMapper<R> mapper = RecordMapper.of(type, LayoutText.parse(LayoutText.print(given)));
        RandomRecords random = new RandomRecords(new Random(5));
        MemorySegment segment = MemorySegment.ofArray(new byte[(int) mapper.byteSize()]).fill((byte) 0x5a);

        for (int i = 0; i < 3; i++) {
            R record = random.next(type);
            mapper.setAtIndex(segment, 0, record);
            assertThat(mapper.getAtIndex(segment, 0)).matches(read -> RandomRecords.equal(read, record));
            own.members()
                    .forEach(member -> assertThat(segment.get(ValueLayout.JAVA_BYTE,
                            mapper.field(member.name() + "_before").byteOffset())).isEqualTo((byte) 0x5a));
        }
    }

    @Test
    void of_structThatLacksAMember_namesBoth() {
        StructType noVenue = StructType.builder("half").add("id", ValueType.of(long.class)).build();

        assertRefused(() -> RecordMapper.of(Trade.class, noVenue), "component=flags", "the struct half has [id]");
    }

    @Test
    void of_memberOfAnotherType_namesBoth() {
        StructType floats = StructType.builder("floats")
                .add("quantity", ValueType.of(float.class))
                .add("px", ValueType.of(double.class))
                .build();
        StructType signs = StructType.builder("signs")
                .add("quantity", UnsignedType.of(4))
                .add("price", ValueType.of(double.class))
                .build();

        assertRefused(() -> RecordMapper.of(Leg.class, floats), "component=quantity",
                "the record declares ValueType[carrier=int", "the struct has ValueType[carrier=float");
        assertRefused(() -> RecordMapper.of(Leg.class, signs), "the struct has UnsignedType");
    }

    @Test
    void of_memberWithTheNameInJava_isFound() {
        StructType inJava = StructType.builder("leg")
                .add("price", ValueType.of(double.class))
                .add("quantity", ValueType.of(int.class))
                .build();

        assertThat(RecordMapper.of(Leg.class, inJava).getAtIndex(MemorySegment.ofArray(new long[2]), 0))
                .isEqualTo(new Leg(0, 0));
    }

    record Failing(int quantity) {
        private static int reads;

        @Override
        public int quantity() {
            if (++reads > 3) {
                throw new IllegalStateException("read " + reads);
            }
            return quantity;
        }
    }

    record Group(long id, @Length(3) Failing[] legs) {}

    @Test
    void set_accessorOfAPartialRecordFails_writesNothing() {
        StructType struct = StructType.builder("group")
                .add("id", ValueType.of(long.class))
                .add("legs", ArrayType.of(leg(ByteOrder.LITTLE_ENDIAN), 3))
                .build();
        RecordMapper<Group> mapper = RecordMapper.of(Group.class, struct);
        MemorySegment segment = MemorySegment.ofArray(new long[(int) mapper.byteSize() / 8]);
        Group group = new Group(7, new Failing[]{new Failing(1), new Failing(2), new Failing(3)});

        Failing.reads = 0;
        mapper.setAtIndex(segment, 0, group);
        assertThat(segment.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(7);
        Failing.reads = 1;
        segment.fill((byte) 0);
        assertThatIllegalStateException().isThrownBy(() -> mapper.setAtIndex(segment, 0, group));

        assertThat(segment.toArray(ValueLayout.JAVA_LONG)).containsOnly(0);
    }

    record OfText(@Length(8) String text, int number) {}

    record OfUtf16(@Length(8) @Encoding(Encoding.Kind.UTF_16) String text) {}

    @Test
    void of_textOfAnotherEncoding_isRefused() {
        StringType declared = StringType.of(8, StandardCharsets.UTF_8);

        for (StringType other : List.of(declared.withPrefix(2, ByteOrder.LITTLE_ENDIAN),
                declared.withPadding(StringType.Padding.SPACE), StringType.of(8, StandardCharsets.US_ASCII))) {
            StructType struct = StructType.builder("other")
                    .add("text", other)
                    .add("number", ValueType.of(int.class))
                    .build();
            assertRefused(() -> RecordMapper.of(OfText.class, struct),
                    "Struct has a member of another type", "component=text");
        }
        for (Charset charset : List.of(StandardCharsets.UTF_16BE, StandardCharsets.UTF_16LE)) {
            RecordMapper<OfUtf16> mapper = RecordMapper.of(OfUtf16.class,
                    StructType.builder("other").add("text", StringType.of(8, charset)).build());
            MemorySegment segment = MemorySegment.ofArray(new long[2]);
            mapper.setAtIndex(segment, 0, new OfUtf16("ab"));
            assertThat(mapper.getAtIndex(segment, 0)).isEqualTo(new OfUtf16("ab"));
        }
    }
}
