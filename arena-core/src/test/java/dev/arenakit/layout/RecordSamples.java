package dev.arenakit.layout;

import dev.arenakit.layout.annotation.Align;
import dev.arenakit.layout.annotation.Bits;
import dev.arenakit.layout.annotation.ByteSize;
import dev.arenakit.layout.annotation.Encoding;
import dev.arenakit.layout.annotation.Encoding.Kind;
import dev.arenakit.layout.annotation.In;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.annotation.Name;
import dev.arenakit.layout.annotation.Order;
import dev.arenakit.layout.annotation.Otherwise;
import dev.arenakit.layout.annotation.Packed;
import dev.arenakit.layout.annotation.TargetByteSize;
import dev.arenakit.layout.annotation.Union;
import dev.arenakit.layout.annotation.Unsigned;
import dev.arenakit.layout.annotation.Value;
import java.lang.foreign.MemorySegment;
import java.util.List;

import static dev.arenakit.layout.annotation.Order.Endian.BIG_ENDIAN;
import static dev.arenakit.layout.annotation.Order.Endian.LITTLE_ENDIAN;

/// Record classes with components of every kind.
@SuppressWarnings("ArrayRecordComponent") // Mapped records may contain arrays.
final class RecordSamples {
    static final List<Class<? extends Record>> ALL = List.of(One.class, Primitives.class, BigPrimitives.class,
            Packed1.class, Nested.class, BigNested.class, Arrays.class, BigArrays.class, PackedArrays.class,
            Texts.class,
            BigTexts.class, OnlyText.class, Enums.class, Addresses.class, Items.class, Message.class, BigMessage.class,
            PackedMessage.class, Deep.class, OnlyArray.class, Wide.class, TwoUnions.class, Aligned.class,
            OneVariant.class, WideMessage.class, WideFlat.class, Unsigneds.class, BigUnsigneds.class, Bitfields.class,
            BigBitfields.class, PackedBits.class, BitfieldsOnly.class, PaddedTexts.class, BigPaddedTexts.class,
            ManyDimensions.class, Counted.class, Unknowns.class, Framed.class, WideBits.class, Stamped.class,
            Refs.class, PackedRefs.class, WideRefs.class);

    private RecordSamples() {}

    record One(long value) {}

    record Primitives(boolean a, byte b, short c, char d, int e, long f, float g, double h) {}

    @Order(BIG_ENDIAN)
    record BigPrimitives(boolean a, byte b, short c, char d, int e, long f, float g, double h) {}

    @Packed
    record Packed1(byte a, long b, boolean c, @Order(BIG_ENDIAN) double d, char e, short f, @Order(BIG_ENDIAN) int g) {}

    record Refs(byte a, Ref<Refs> next, Ref32<One> small, @Order(BIG_ENDIAN) Ref32<Refs> big,
            @Order(BIG_ENDIAN) Ref<WideRefs> mutual, @In("ones") @Length(3) Ref<One>[] many,
            @Length({2, 2}) Ref32<Packed1>[][] squares) {}

    @Packed
    record PackedRefs(byte a, Ref<PackedRefs> next, Ref32<Refs> small, @Length(2) Ref32<One>[] many) {}

    record WideRefs(byte a, Primitives b, Primitives c, Primitives d, Primitives e, Ref<Refs> f, Ref32<WideRefs> g,
            @Order(BIG_ENDIAN) Ref32<One> h, byte i) {}

    record Nested(byte a, One b, Primitives c, Packed1 d, int e) {}

    @Order(BIG_ENDIAN)
    record BigNested(byte a, One b, Primitives c, Packed1 d, int e) {}

    record Arrays(@Length(3) byte[] a, @Length(2) short[] b, @Length(5) char[] c, @Length(4) int[] d,
            @Length(1) long[] e, @Length(3) float[] f, @Length(2) double[] g, @Length(7) boolean[] h) {}

    @Order(BIG_ENDIAN)
    record BigArrays(@Length(3) byte[] a, @Length(2) short[] b, @Length(5) char[] c, @Length(4) int[] d,
            @Order(LITTLE_ENDIAN) @Length(1) long[] e, @Length(3) float[] f, @Length(2) double[] g) {}

    @Packed
    record PackedArrays(@Length(3) byte[] a, @Length(2) double[] b, @Order(BIG_ENDIAN) @Length(2) int[] c,
            @Length(2) Color[] d, @Length(2) Nested[] e) {}

    record Texts(@Length(12) String a, @Length(5) @Encoding(Kind.ASCII) String b,
            @Length(7) @Encoding(Kind.UTF_16) String c, int d) {}

    @Order(BIG_ENDIAN)
    record BigTexts(@Length(1) String a, @Length(7) @Encoding(Kind.UTF_16) String b) {}

    record OnlyText(@Length(6) String a) {}

    enum Color {
        RED, GREEN, BLUE
    }

    @ByteSize(1)
    enum Sparse {
        @Value(-128)
        LOW, @Value(127)
        HIGH, @Value(2)
        MIDDLE
    }

    record Enums(Color a, @ByteSize(8) Color b, @Order(BIG_ENDIAN) @ByteSize(2) Color c, Sparse d,
            @ByteSize(8) @Order(BIG_ENDIAN) Sparse e, @Length(3) Color[] f, @Length(2) Sparse[] g,
            @Length(2) @ByteSize(8) Sparse[] h, @Length(2) @ByteSize(2) @Order(BIG_ENDIAN) Color[] i) {}

    record Addresses(MemorySegment a, @TargetByteSize(16) MemorySegment b, @Length(2) MemorySegment[] c,
            @Order(BIG_ENDIAN) MemorySegment d) {}

    record Items(short count, @Length(3) Nested[] items, @Length(2) Message[] messages, @Length(2) OnlyText[] texts) {}

    sealed interface Body permits Login, Ping, Data {}

    record Login(@Length(10) String user, Color color) implements Body {}

    @Value(77)
    record Ping(long nanos, boolean reply) implements Body {}

    record Data(@Length(3) int[] values, One one) implements Body {}

    record Message(byte kind, @Union("kind") Body body, short end) {}

    @Order(BIG_ENDIAN)
    record BigMessage(@Union("kind") Body body, @ByteSize(2) BodyKind kind) {}

    enum BodyKind {
        LOGIN, @Value(77)
        PING, DATA
    }

    @Packed
    record PackedMessage(boolean first, long kind, @Union("kind") Body body) {}

    sealed interface Outer permits Left, Right {}

    record Left(char kind, @Union("kind") Body body) implements Outer {}

    record Right(Primitives primitives) implements Outer {}

    record Deep(int kind, @Union("kind") Outer outer, One last) {}

    record TwoUnions(int a, @Union("a") Body first, @Union("b") Outer second, short b, @Union("a") Body third) {}

    record OnlyArray(@Length(9) int[] values) {}

    record OneVariant(int kind, @Union("kind") Sole sole) {}

    sealed interface Sole permits Only {}

    @Value({0, 5})
    record Only(int x, double y) implements Sole {}

    @Align(64)
    record Aligned(byte a, @Align(16) byte b, @Align(2) long c, @Align(32) One d) {}

    record Many(long a0, long a1, long a2, long a3, long a4, long a5, long a6, long a7, long a8, long a9, long b0,
            long b1, long b2, long b3, long b4, long b5, long b6, long b7, long b8, long b9, long c0, long c1, long c2,
            long c3, long c4, long c5, long c6, long c7, long c8, long c9) {}

    record Manies(Many a, Many b, Many c, Many d, Many e, Many f, byte g) {}

    /// Too large for one method.
    record Wide(byte a, Manies b, Many c, int d) {}

    /// Written in groups of components, whose unions are far from their discriminators.
    record WideFlat(boolean a0, @Union("k0") Body b0, short c0, char d0, int e0, long f0, float g0, double h0, Color i0,
            Sparse j0, MemorySegment l0, @Length(5) String m0, @Length(3) int[] n0, Nested o0, byte p0, boolean a1,
            @Union("k0") Body b1, short c1, char d1, int e1, long f1, float g1, double h1, Color i1, Sparse j1,
            MemorySegment l1, @Length(5) String m1, @Length(3) int[] n1, Nested o1, byte p1, boolean a2,
            @Union("k2") Body b2, short c2, char d2, int e2, long f2, float g2, double h2, Color i2, Sparse j2,
            MemorySegment l2, @Length(5) String m2, @Length(3) int[] n2, Nested o2, byte p2, byte k0,
            @ByteSize(2) BodyKind k2) {}

    record Unsigneds(@Unsigned(1) int a, @Unsigned(2) int b, @Unsigned(3) int c, @Unsigned(4) long d,
            @Unsigned(5) long e, @Unsigned(6) long f, @Unsigned(7) long g, @Unsigned(8) long h, @Unsigned(1) byte i,
            @Unsigned(2) short j, @Unsigned(4) int k, @Unsigned(2) char l, @Unsigned(1) char m, @Unsigned(1) short n,
            @Length(3) @Unsigned(2) int[] o, @Length(3) @Unsigned(6) long[] p, @Length(2) @Unsigned(4) int[] q,
            @Length(2) @Unsigned(1) short[] r, @Length(2) @Unsigned(1) char[] s) {}

    @Order(BIG_ENDIAN)
    record BigUnsigneds(@Unsigned(1) int a, @Unsigned(2) int b, @Unsigned(3) int c, @Unsigned(4) long d,
            @Unsigned(5) long e, @Unsigned(6) long f, @Unsigned(7) long g, @Unsigned(8) long h,
            @Length(3) @Unsigned(2) int[] o, @Length(3) @Unsigned(6) long[] p) {}

    enum High {
        LOW, @Value(255)
        HIGH, @Otherwise
        OTHER
    }

    record Bitfields(@Bits(3) int a, @Bits(7) @Unsigned(2) int b, @Bits(1) boolean c, @Bits(30) long d, long e,
            @Bits(2) Color f, @Bits(5) byte g, @Bits(40) @Unsigned(8) long h, @ByteSize(1) High i, short j) {}

    @Order(BIG_ENDIAN)
    record BigBitfields(@Bits(3) int a, @Bits(7) @Unsigned(2) int b, @Bits(1) boolean c, @Bits(30) long d, long e,
            @Bits(2) Color f, @Bits(5) byte g, @Bits(40) @Unsigned(8) long h, short j) {}

    @Packed
    record PackedBits(byte first, @Bits(3) int a, @Bits(17) int b, @Bits(12) @Unsigned(4) int c, @Bits(2) YesOrNo d,
            int e) {}

    enum YesOrNo {
        NO, YES
    }

    @Packed
    record DosTime(@Bits(5) @Unsigned(2) int halfSeconds, @Bits(6) @Unsigned(2) int minute,
            @Bits(5) @Unsigned(2) int hour, @Bits(5) @Unsigned(2) int day, @Bits(4) @Unsigned(2) int month,
            @Bits(7) @Unsigned(2) int year) {}

    /// One value exceeds a `short`.
    enum EtherType {
        @Value(0x0800)
        IPV4, @Value(0x86DD)
        IPV6
    }

    @Packed
    record Stamped(@Bits(9) @Unsigned(2) int flags, @Bits(7) @Unsigned(2) int level, @ByteSize(2) EtherType type,
            DosTime time, int checksum) {}

    record BitfieldsOnly(@Bits(4) @Unsigned(1) int version, @Bits(4) @Unsigned(1) int length) {}

    record PaddedTexts(@Length(8) @Encoding(padding = Encoding.Padding.SPACE) String a,
            @Length(5) @Encoding(value = Kind.UTF_16, padding = Encoding.Padding.SPACE) String b,
            @Length(9) @Encoding(prefix = 1) String c, @Length(9) @Encoding(value = Kind.UTF_16, prefix = 2) String d,
            @Length(9) @Encoding(value = Kind.ASCII, prefix = 4) String e) {}

    @Order(BIG_ENDIAN)
    record BigPaddedTexts(@Length(5) @Encoding(value = Kind.UTF_16, padding = Encoding.Padding.SPACE) String b,
            @Length(9) @Encoding(value = Kind.UTF_16, prefix = 2) String d,
            @Length(9) @Encoding(prefix = 4) String e) {}

    record ManyDimensions(@Length({2, 3}) int[][] a, @Length({2, 2, 2}) byte[][][] b, @Length({3, 5}) String[] c,
            @Length({2, 2, 4}) String[][] d, @Length({2, 2}) Color[][] e, @Length({2, 1}) One[][] f) {}

    record Counted(@Unsigned(1) int n, @Length(value = 4, counted = "n") int[] a,
            @Length(value = 3, counted = "m") Nested[] b, short m, @Length(value = {5, 4}, counted = "k") String[] c,
            @Bits(3) @Unsigned(1) int k) {}

    sealed interface Known permits Empty, Group, Unknown {}

    record Empty() implements Known {}

    sealed interface Group extends Known permits Pair, Triple {}

    record Pair(int a, int b) implements Group {}

    @Value(200)
    record Triple(byte a, byte b, byte c) implements Group {}

    @Otherwise
    record Unknown(@Length(9) byte[] bytes) implements Known {}

    record Unknowns(@Unsigned(1) int kind, @Union("kind") Known known) {}

    record Header(@Name("type_") short type, int length) {}

    record Framed(@Union("header.type") Body body, Header header) {}

    record WideBits(Many a, Bitfields b, Unsigneds c, Framed d, @Unsigned(1) int n,
            @Length(value = 3, counted = "n") int[] e) {}

    record WideMessage(Manies a, byte kind, @Union("kind") Body body, short end) {}
}
