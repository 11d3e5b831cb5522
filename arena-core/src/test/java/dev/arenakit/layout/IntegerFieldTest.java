package dev.arenakit.layout;

import dev.arenakit.layout.annotation.Bits;
import dev.arenakit.layout.annotation.ByteSize;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.annotation.Members;
import dev.arenakit.layout.annotation.Otherwise;
import dev.arenakit.layout.annotation.Unsigned;
import dev.arenakit.layout.annotation.Value;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.arenakit.testing.Refusals.assertRefused;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/// Fields and views of unsigned integers, integers of odd sizes and bit fields.
@SuppressWarnings("ArrayRecordComponent") // Mapped records may contain arrays.
class IntegerFieldTest {
    enum Kind {
        NONE, @Value(2)
        TWO, @Value(200)
        MANY
    }

    private static final EnumType KIND = new EnumType("Kind", UnsignedType.of(1), List.of(
            new EnumType.Constant("NONE", 0), new EnumType.Constant("TWO", 2), new EnumType.Constant("MANY", 200)));

    private static final StructType STRUCT = StructType.builder("Packet")
            .add("port", UnsignedType.of(2, ByteOrder.BIG_ENDIAN))
            .add("size", UnsignedType.of(4))
            .add("flags", UnsignedType.of(1))
            .add("nanos", UnsignedType.of(6, ByteOrder.BIG_ENDIAN))
            .add("odd", UnsignedType.of(3))
            .add("sequence", UnsignedType.of(8))
            .add("kind", KIND)
            .add("ticks", ArrayType.of(UnsignedType.of(6), 3))
            .add("ports", ArrayType.of(UnsignedType.of(2), 3))
            .addBits("ihl", UnsignedType.of(1), 4)
            .addBits("version", UnsignedType.of(1), 4)
            .addBits("delta", ValueType.of(int.class), 5)
            .addBits("urgent", ValueType.of(boolean.class), 1)
            .addBits("level", new EnumType("Kind", UnsignedType.of(4), KIND.constants()), 9)
            .addBits("wide", ValueType.of(long.class), 40)
            .build();

    interface Packet extends View {
        int port();

        long size();

        short flags();

        long nanos();

        int odd();

        long sequence();

        Kind kind();

        long ticks(long index);

        int ports(long index);

        int ihl();

        byte version();

        int delta();

        boolean urgent();

        Kind level();

        long wide();

    }

    private static final ViewMapper<Packet> MAPPER = ViewMapper.of(Packet.class, STRUCT);

    private final MemorySegment segment = MAPPER.allocate(Arena.ofAuto(), 3);
    private final Packet view = MAPPER.viewAtIndex(segment, 1);

    @Test
    void field_ofEachMember_accessesWhatTheViewAccesses() {
        MAPPER.intField(Packet::port).setAtIndex(segment, 1, 65_535);
        MAPPER.longField(Packet::size).setAtIndex(segment, 1, 0xffff_fffeL);
        MAPPER.shortField(Packet::flags).setAtIndex(segment, 1, (short) 254);
        MAPPER.longField(Packet::nanos).setAtIndex(segment, 1, (1L << 48) - 2);
        MAPPER.intField(Packet::odd).set(segment, MAPPER.byteSize(), 0xfedcba);
        MAPPER.longField(Packet::sequence).setAtIndex(segment, 1, -5);
        MAPPER.enumField(Packet::kind).setAtIndex(segment, 1, Kind.MANY);
        MAPPER.longElements(Packet::ticks).setAtIndex(segment, 1, 2, 77);
        MAPPER.intElements(Packet::ports).setAtIndex(segment, 1, 1, 50_000);
        MAPPER.intField(Packet::ihl).setAtIndex(segment, 1, 5);
        MAPPER.byteField(Packet::version).setAtIndex(segment, 1, (byte) 6);
        MAPPER.intField(Packet::delta).setAtIndex(segment, 1, -7);
        MAPPER.booleanField(Packet::urgent).setAtIndex(segment, 1, true);
        MAPPER.enumField(Packet::level).setAtIndex(segment, 1, Kind.TWO);
        MAPPER.longField(Packet::wide).setAtIndex(segment, 1, -8);
        assertThat(view).hasToString("""
                Packet { port = 65535, size = 4294967294, flags = 254, nanos = 281474976710654, odd = 16702650, \
                sequence = -5, kind = MANY, ticks = [0, 0, 77], ports = [0, 50000, 0], ihl = 5, version = 6, \
                delta = -7, urgent = true, level = TWO, wide = -8 }""");
        assertThat(MAPPER.intField(Packet::port).getAtIndex(segment, 1)).isEqualTo(65_535);
        assertThat(MAPPER.charField("port").getAtIndex(segment, 1)).isEqualTo((char) 65_535);
        assertThat(MAPPER.longField(Packet::nanos).getAtIndex(segment, 1)).isEqualTo((1L << 48) - 2);
        assertThat(MAPPER.longElements(Packet::ticks).getAtIndex(segment, 1, 2)).isEqualTo(77);
        assertThat(MAPPER.intElements(Packet::ports).getAtIndex(segment, 1, 1)).isEqualTo(50_000);
        assertThat(MAPPER.enumField(Packet::level).getAtIndex(segment, 1)).isEqualTo(Kind.TWO);
        assertThat(MAPPER.intField("level").getAtIndex(segment, 1)).isEqualTo(2);
        assertThat(MAPPER.intField("kind").getAtIndex(segment, 1)).isEqualTo(200);
        assertThat(segment.asSlice(0, MAPPER.byteSize()).mismatch(segment.asSlice(2 * MAPPER.byteSize())))
                .isEqualTo(-1);
    }

    @Test
    void field_ofAnOddSize_hasItsBytesAlone() {
        MAPPER.longField("nanos").setAtIndex(segment, 0, 0x010203040506L);
        long at = STRUCT.member("nanos").orElseThrow().byteOffset();
        assertThat(segment.asSlice(at, 6).toArray(JAVA_BYTE)).containsExactly(1, 2, 3, 4, 5, 6);
        assertThat(segment.asSlice(0, at).mismatch(MemorySegment.ofArray(new byte[(int) at]))).isEqualTo(-1);
    }

    @ParameterizedTest
    @CsvSource({"port,65536", "port,-1", "odd,16777216", "ihl,16", "ihl,-1", "delta,16", "delta,-17"})
    void set_ofAValueThatDoesNotFit_isRefused(String path, int value) {
        assertRefused(() -> MAPPER.intField(path).setAtIndex(segment, 1, value),
                "Value does not fit: layout=Packet, path=" + path + ", value=" + value);
        assertThat(segment.mismatch(MAPPER.allocate(Arena.ofAuto(), 3))).isEqualTo(-1);
    }

    record Patterns(@Unsigned(4) long wide, @Unsigned(4) int pattern, @Unsigned(2) int port, @Unsigned(2) short bits,
            @Bits(32) @Unsigned(4) long wideBits, @Bits(32) @Unsigned(4) int patternBits,
            @Length(2) @Unsigned(4) long[] wides, @Length(2) @Unsigned(4) int[] patterns, @ByteSize(1) Kind kind,
            @Unsigned(8) long sequence) {}

    @Test
    void shortField_ofLargerUnsignedNumbers_isRefused() {
        RecordMapper<Patterns> mapper = RecordMapper.of(MethodHandles.lookup(), Patterns.class);
        assertRefused(() -> mapper.shortField("port"), "use charField or intField or longField");
        assertRefused(() -> mapper.byteField("kind"),
                "use shortField or charField or intField or longField or enumField");
        assertRefused(() -> MAPPER.shortField(view -> (short) view.port()), "path=port");
        StructType struct = StructType.builder("Undeclared")
                .add("known", UnsignedType.of(4))
                .add("other", UnsignedType.of(4))
                .build();
        ViewMapper<Part> known = ViewMapper.of(MethodHandles.lookup(), Part.class, struct);
        assertThat(known.intField("known").path()).isEqualTo("known");
        assertRefused(() -> known.intField("other"), "use longField");
    }

    interface Part {
        int known();
    }

    @Test
    void field_ofTheDeclaredType_hasTheValueOfTheRecord() {
        RecordMapper<Patterns> mapper = RecordMapper.of(MethodHandles.lookup(), Patterns.class);
        MemorySegment one = mapper.allocate(Arena.ofAuto());
        mapper.set(one, new Patterns(4_000_000_000L, -1, 65_535, (short) -2, 4_000_000_001L, -3,
                new long[]{0, 4_000_000_002L}, new int[]{0, -4}, Kind.MANY, -5));
        assertThat(mapper.longField("wide").get(one, 0)).isEqualTo(4_000_000_000L);
        assertThat(mapper.intField("pattern").getAndAdd(one, 0, 1)).isEqualTo(-1);
        assertThat(mapper.longField("pattern").get(one, 0)).isZero();
        assertThat(mapper.intField("port").get(one, 0)).isEqualTo(65_535);
        assertThat(mapper.shortField("bits").get(one, 0)).isEqualTo((short) -2);
        assertThat(mapper.longField("wideBits").get(one, 0)).isEqualTo(4_000_000_001L);
        assertThat(mapper.intField("patternBits").get(one, 0)).isEqualTo(-3);
        assertThat(mapper.longElements("wides").get(one, 0, 1)).isEqualTo(4_000_000_002L);
        assertThat(mapper.intElements("patterns").get(one, 0, 1)).isEqualTo(-4);
        assertThat(mapper.intField("patterns[1]").get(one, 0)).isEqualTo(-4);
        assertThat(mapper.shortField("kind").get(one, 0)).isEqualTo((short) 200);
        assertThat(mapper.longField("sequence").get(one, 0)).isEqualTo(-5);
    }

    @Test
    void atomicOperations_ofALongFieldOfFourUnsignedBytes_haveTheirValues() {
        LongField size = MAPPER.longField(Packet::size);
        assertThat(size.getAndSetAtIndex(segment, 1, 0xffff_fff0L)).isZero();
        assertThat(size.compareAndSetAtIndex(segment, 1, 0xffff_fff0L, 0xffff_fff1L)).isTrue();
        assertThat(size.compareAndSetAtIndex(segment, 1, 0xffff_fff0L, 7)).isFalse();
        assertThat(size.getAndBitwiseOrAtIndex(segment, 1, 2)).isEqualTo(0xffff_fff1L);
        assertThat(size.getAndBitwiseXorAtIndex(segment, 1, 1)).isEqualTo(0xffff_fff3L);
        assertThat(size.getAcquireAtIndex(segment, 1)).isEqualTo(0xffff_fff2L);
        assertThat(size.getAndAddAtIndex(segment, 1, 14)).isEqualTo(0xffff_fff2L);
        assertThat(size.getOpaqueAtIndex(segment, 1)).isZero();
        size.setReleaseAtIndex(segment, 1, 0xffff_ffffL);
        assertThat(size.getVolatileAtIndex(segment, 1)).isEqualTo(0xffff_ffffL);
        assertThat(size.getAndAddAtIndex(segment, 1, -1)).isEqualTo(0xffff_ffffL);
        assertThat(size.getAndBitwiseAndAtIndex(segment, 1, ~2L)).isEqualTo(0xffff_fffeL);
        assertThat(size.compareAndExchangeAtIndex(segment, 1, 0xffff_fffcL, 7)).isEqualTo(0xffff_fffcL);
        assertThatIllegalArgumentException().isThrownBy(() -> size.setVolatileAtIndex(segment, 1, -1));
    }

    @ParameterizedTest
    @CsvSource({"odd", "ihl", "delta"})
    void getVolatile_whereNoVarHandleExists_isUnsupported(String path) {
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> MAPPER.intField(path).getVolatileAtIndex(segment, 1))
                .withMessageStartingWith("Field does not support the operation: operation=getVolatileAtIndex, "
                        + "layout=Packet, path=" + path);
    }

    @Test
    void field_ofASmallerType_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> MAPPER.byteField("port"))
                .withMessage("Field is of another type: expected=byte, layout=Packet, path=port, type=uint16_t; "
                        + "use charField or intField or longField");
        assertRefused(() -> MAPPER.intField("urgent"), "use booleanField");
    }

    @Test
    void bitField_outsideOfTheSegment_isRefusedAsOtherFieldsAre() {
        IntField ihl = MAPPER.intField("ihl");
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> ihl.getAtIndex(segment, 3))
                .withMessageStartingWith("Struct is not within the segment: index=3, layout=Packet");
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> ihl.get(segment, -1));
        assertRefused(() -> ihl.set(segment, 1, 0),
                "Segment is misaligned for the layout: byteOffset=1, layout=Packet");
        assertRefused(() -> ihl.set(segment.asReadOnly(), 0, 0), "Segment is read-only: byteOffset=0, layout=Packet");
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> MAPPER.longElements("ticks").getAtIndex(segment, 0, 3))
                .withMessageStartingWith("Element is not within the array: element=3, length=3");
    }

    enum Known {
        ONE, TWO, @Otherwise
        OTHER
    }

    interface KnownView {
        Known known();

        void known(Known known);
    }

    @Test
    void enumField_withAnotherwise_readsAnyNumberAndWritesKnownOnes() {
        StructType struct = StructType.builder("S")
                .add("known", new EnumType("Known", ValueType.of(int.class),
                        List.of(new EnumType.Constant("ONE", 0), new EnumType.Constant("TWO", 1)),
                        Optional.of("OTHER")))
                .build();
        ViewMapper<KnownView> mapper = ViewMapper.of(KnownView.class, struct);
        MemorySegment one = mapper.allocate(Arena.ofAuto(), 1);
        EnumField<Known> field = mapper.enumField(KnownView::known);
        mapper.intField("known").set(one, 0, 17);
        assertThat(field.get(one, 0)).isEqualTo(Known.OTHER);
        assertThat(mapper.view(one, 0).known()).isEqualTo(Known.OTHER);
        assertThat(field.getAndSet(one, 0, Known.TWO)).isEqualTo(Known.OTHER);
        assertThatIllegalArgumentException().isThrownBy(() -> field.set(one, 0, Known.OTHER));
        assertThatIllegalArgumentException().isThrownBy(() -> mapper.view(one, 0).known(Known.OTHER));
        assertThat(field.get(one, 0)).isEqualTo(Known.TWO);
    }

    interface EagerView {
        int eager();
    }

    private static final ViewMapper<EagerView> EAGER = ViewMapper.of(EagerView.class, StructType.builder("S")
            .add("eager", new EnumType("Eager", ValueType.of(int.class),
                    List.of(new EnumType.Constant("ONE", 0), new EnumType.Constant("TWO", 1))))
            .build());

    enum Eager {
        ONE, TWO;

        static final EnumField<Eager> FIELD = EAGER.enumField("eager", Eager.class);
    }

    @Test
    void enumField_whoseEnumAsksForItWhenInitialised_isOne() {
        EnumField<Eager> field = EAGER.enumField("eager", Eager.class);
        assertThat(field).isSameAs(Eager.FIELD);
        assertThat(field.get(EAGER.allocate(Arena.ofAuto(), 1), 0)).isEqualTo(Eager.ONE);
    }

    record Bytes(long l, @Bits(3) int bits, @Unsigned(3) int odd) {}

    @Members({"l", "bits", "odd"})
    interface BytesView {
        long l();

        @Bits(3)
        int bits();

        void bits(int bits);

        @Unsigned(3)
        int odd();

        void odd(int odd);
    }

    @Test
    void packedInteger_inAnArrayThatGuaranteesNoAlignment_isRefusedAsOtherFieldsAre() {
        RecordMapper<Bytes> records = RecordMapper.of(Bytes.class);
        MemorySegment heap = MemorySegment.ofArray(new byte[16]);
        List<ThrowingCallable> accesses = List.of(() -> records.longField("l").get(heap, 0),
                () -> records.intField("bits").get(heap, 0), () -> records.intField("bits").set(heap, 0, 1),
                () -> records.intField("odd").getAtIndex(heap, 0), () -> records.intField("odd").set(heap, 0, 1),
                () -> ViewMapper.of(BytesView.class).view(heap, 0));
        accesses.forEach(access -> assertRefused(access, "Segment is misaligned for the layout: "));
        assertThat(heap.mismatch(MemorySegment.ofArray(new byte[16]))).isEqualTo(-1);
    }

    @Test
    void packedInteger_inASliceOfAnAlignedArray_isAccessed() {
        MemorySegment slice = MemorySegment.ofArray(new long[4]).asSlice(4);
        IntField odd = RecordMapper.of(Bytes.class).intField("odd");
        odd.set(slice, 4, 7);
        assertThat(odd.get(slice, 4)).isEqualTo(7);
        assertThat(ViewMapper.of(BytesView.class).view(slice, 4).odd()).isEqualTo(7);
        assertThatIllegalArgumentException().isThrownBy(() -> odd.get(slice, 0));
    }
}
