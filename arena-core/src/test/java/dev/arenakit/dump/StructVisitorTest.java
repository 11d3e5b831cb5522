package dev.arenakit.dump;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.ValueType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import org.junit.jupiter.api.Test;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/// The calls that visitors receive.
class StructVisitorTest {
    private static final StructType BYTE = StructType.builder("B").add("b", ValueType.of(byte.class)).build();

    @Test
    void visit_values_areTold() throws IOException {
        EnumType kind = new EnumType("Kind", ValueType.of(byte.class), List.of(new EnumType.Constant("ONE", 1)));
        StructType struct = StructType.builder("All")
                .packed()
                .add("z", ValueType.of(boolean.class))
                .add("c", ValueType.of(char.class, BIG_ENDIAN))
                .add("s", ValueType.of(short.class, BIG_ENDIAN))
                .add("f", ValueType.of(float.class, BIG_ENDIAN))
                .add("d", ValueType.of(double.class, BIG_ENDIAN))
                .add("known", kind)
                .add("unknown", kind)
                .add("a", new AddressType(Optional.empty(), BIG_ENDIAN, 1))
                .add("t", StringType.of(4, StandardCharsets.UTF_8))
                .build();
        byte[] bytes = ByteBuffer.allocate((int) struct.byteSize())
                .put((byte) -1)
                .putChar('\ud800')
                .putShort((short) -2)
                .putFloat(Float.NaN)
                .putDouble(Double.NEGATIVE_INFINITY)
                .put((byte) 1)
                .put((byte) 2)
                .putLong(-1)
                .put("abc".getBytes(StandardCharsets.US_ASCII))
                .array();
        assertThat(calls(LayoutDump.of(struct), bytes)).containsExactly("beginStruct All 0 0", "member z 0",
                "bool true 255", "member c 1", "character \ud800", "member s 3", "integer -2", "member f 5",
                "floating NaN", "member d 9", "floating -Infinity", "member known 17", "constant Kind ONE 1",
                "member unknown 18", "constant Kind  2", "member a 19", "address -1", "member t 27",
                "text abc 0 false false", "endStruct");
    }

    @Test
    void visit_groupsAndArrays_areNested() throws IOException {
        SequencedMap<String, MemoryType> members = new LinkedHashMap<>();
        members.put("one", ValueType.of(byte.class));
        members.put("two", BYTE);
        UnionType union = UnionType.of("Any", members,
                Optional.of(new UnionType.Discriminator("kind", List.of(1L, 2L))));
        StructType struct = StructType.builder("S")
                .add("kind", ValueType.of(byte.class))
                .add("u", ArrayType.of(union, 2))
                .add("a", ArrayType.of(ValueType.of(byte.class), 20))
                .build();
        byte[] bytes = new byte[5];
        bytes[0] = 2;
        bytes[1] = 7;
        assertThat(calls(LayoutDump.of(struct).withFirst(0), bytes)).containsExactly("beginStruct S 0 0",
                "member kind 0", "integer 2", "member u 1", "beginArray ArrayType 1", "element 0 1",
                "beginGroup Any 1", "member two 1", "beginGroup B 1", "member b 1", "integer 7", "endGroup", "endGroup",
                "element 1 2", "beginGroup Any 2", "member two 2", "beginGroup B 2", "member b 2", "integer 0",
                "endGroup", "endGroup", "endArray 0 false", "member a 3", "beginArray ArrayType 3", "element 0 3",
                "integer 0", "element 1 4", "integer 0", "endArray 18 true", "endStruct");
    }

    @Test
    void visit_shortened_isToldByHowMuch() throws IOException {
        StructType struct = StructType.builder("S")
                .add("a", ArrayType.of(ValueType.of(byte.class), 20))
                .add("t", StringType.of(300, StandardCharsets.US_ASCII))
                .build();
        byte[] bytes = new byte[320];
        Arrays.fill(bytes, (byte) 'x');
        assertThat(calls(LayoutDump.of(struct), bytes))
                .contains("endArray 4 false", "text " + "x".repeat(256) + " 44 false false");
        assertThat(calls(LayoutDump.of(struct).withEveryElement(), bytes))
                .contains("endArray 0 false", "text " + "x".repeat(300) + " 0 false false");
    }

    @Test
    void visit_unsignedAndBits_areTheirCalls() throws IOException {
        StructType struct = LayoutText.parse("""
                #pragma layout 2
                enum Kind : uint8_t { ONE = 1, OTHER = @otherwise };
                struct S { uint8_t a; int8_t b : 4; uint8_t c : 3; bool d : 1; enum Kind e; };
                """);
        assertThat(calls(LayoutDump.of(struct), new byte[]{-1, (byte) 0xdf, 5})).containsExactly("beginStruct S 0 0",
                "member a 0", "unsigned 255", "member b 1", "integer -1", "member c 1", "unsigned 5", "member d 1",
                "bool true 1", "member e 2", "constant Kind  5", "endStruct");
    }

    @Test
    void visit_zeroRuns_areOneCall() throws IOException {
        assertThat(calls(LayoutDump.of(BYTE).withZeroRuns().withFirst(1), new byte[]{0, 0, 0, 5, 0}))
                .containsExactly("zeros B 1 2 1", "beginStruct B 3 3", "member b 3", "integer 5", "endStruct",
                        "beginStruct B 4 4", "member b 4", "integer 0", "endStruct");
    }

    @Test
    void visit_cutOff_isTold() throws IOException {
        StructType struct = StructType.builder("S")
                .add("t", StringType.of(4, StandardCharsets.UTF_8))
                .add("i", ValueType.of(int.class))
                .build();
        assertThat(calls(LayoutDump.of(struct), new byte[]{'a', 'b'})).containsExactly("beginStruct S 0 0",
                "member t 0", "text ab 0 false true", "member i 4", "cutOff", "endStruct");
    }

    @Test
    void string_malformed_isReplaced() {
        assertThat(string(StandardCharsets.UTF_8, 'a', 0xff, 'b', 0xe2, 0x82)).isEqualTo("a\ufffdb\ufffd");
        assertThat(string(StandardCharsets.US_ASCII, 'a', 0xe4)).isEqualTo("a\ufffd");
        assertThat(string(StandardCharsets.UTF_16LE, 0x00, 0xd8, 'b', 0)).doesNotContain("\ud800");
        assertThat(string(StandardCharsets.UTF_16BE, 0xd8, 0x3d, 0xde, 0x00)).isEqualTo("\ud83d\ude00");
    }

    @Test
    void visit_exceptionOfTheVisitor_isPassedOn() {
        assertThatIOException().isThrownBy(() -> LayoutDump.of(BYTE)
                .visit(MemorySegment.ofArray(new byte[1]),
                        visitor((name, arguments) -> {
                            throw new IOException(name);
                        })))
                .withMessage("beginStruct");
    }

    private static String string(Charset charset, int... units) {
        byte[] bytes = new byte[units.length];
        for (int i = 0; i < units.length; i++) {
            bytes[i] = (byte) units[i];
        }
        return new StructVisitor.Text(MemorySegment.ofArray(bytes), charset, 0, false, false).string();
    }

    private static List<String> calls(LayoutDump dump, byte[] bytes) throws IOException {
        List<String> calls = new ArrayList<>();
        StructVisitor recorder = visitor((name, arguments) -> {
            StringBuilder call = new StringBuilder(name);
            for (Object argument : arguments) {
                call.append(argument instanceof MemorySegment ? "" : " " + shown(argument));
            }
            calls.add(call.toString());
        });
        dump.visit(MemorySegment.ofArray(bytes), recorder);
        List<String> ofSegment = List.copyOf(calls);
        calls.clear();
        dump.visit(ExtentSource.of(MemorySegment.ofArray(bytes)), recorder);
        assertThat(calls).isEqualTo(ofSegment);
        return ofSegment;
    }

    private static String shown(Object argument) {
        return switch (argument) {
            case StructType struct -> struct.name();
            case UnionType union -> union.name();
            case EnumType constants -> constants.name();
            case MemoryType type -> type.getClass().getSimpleName();
            case Member member -> member.name();
            case StructVisitor.Text text -> text.string() + " " + text.leftOut() + " " + text.orMore() + " "
                    + text.cutOff();
            default -> argument.toString();
        };
    }

    private interface Call {
        void take(String name, Object[] arguments) throws IOException;
    }

    private static StructVisitor visitor(Call call) {
        return (StructVisitor) Proxy.newProxyInstance(StructVisitor.class.getClassLoader(),
                new Class<?>[]{StructVisitor.class}, (proxy, method, arguments) -> {
                    call.take(method.getName(), arguments == null ? new Object[0] : arguments);
                    return null;
                });
    }
}
