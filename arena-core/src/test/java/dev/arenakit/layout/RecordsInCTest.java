package dev.arenakit.layout;

import dev.arenakit.internal.layout.declaration.StructTypeReader;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.MemorySegment;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/// Compares random records with the structs that a C programmer would declare for them.
class RecordsInCTest {
    private static final int RECORDS = 60;
    private static final String[][] PRIMITIVES = {{"boolean", "_Bool"}, {"byte", "signed char"}, {"short", "short"},
            {"char", "unsigned short"}, {"int", "int"}, {"long", "long long"}, {"float", "float"},
            {"double", "double"}};

    private final Random random = new Random(7);
    private final StringBuilder java = new StringBuilder("""
            import dev.arenakit.layout.*;
            import dev.arenakit.layout.annotation.*;
            import java.lang.foreign.MemorySegment;

            public class Main {
                enum E { A, B }
            """);
    @SuppressWarnings("OrphanedFormatString") // It is C.
    private final StringBuilder c = new StringBuilder("""
            #include <stddef.h>
            #include <stdint.h>
            #include <stdio.h>
            #include <string.h>
            enum E { A, B };
            static void dump(const char *field, const void *from, size_t size) {
                printf("%s ", field);
                for (size_t i = 0; i < size; i++) {
                    printf("%02x", ((const unsigned char *) from)[i]);
                }
                printf("\\n");
            }
            """);

    @Test
    void type_ofARecord_hasTheOffsetsOfGcc(@TempDir Path folder) throws Exception {
        Programs.assumeInstalled("gcc");
        for (int i = 0; i < RECORDS; i++) {
            declare(i);
        }
        Path classes = UserModule.compile(folder, java + "}\n", "-cp", UserModule.library());
        StringBuilder main = new StringBuilder("int main(void) {\n");
        List<String> expected = new ArrayList<>();
        try (URLClassLoader loader = new URLClassLoader(new URL[]{classes.toUri().toURL()},
                getClass().getClassLoader())) {
            for (int i = 0; i < RECORDS; i++) {
                StructType struct = StructTypeReader.ofRecord(loader.loadClass("Main$R" + i));
                String name = "struct R" + i;
                print(main, expected, "sizeof(" + name + ")", struct.byteSize());
                print(main, expected, "_Alignof(" + name + ")", struct.byteAlignment());
                for (Member member : struct.members()) {
                    if (member.type() instanceof BitFieldType bits) {
                        dump(main, expected, name, member, bits, (int) struct.byteSize());
                    } else {
                        print(main, expected, "offsetof(" + name + ", " + member.name() + ")", member.byteOffset());
                    }
                }
            }
        }

        assertThat(Programs.gcc(folder, c + "" + main + "    return 0;\n}\n", "-Wno-packed-not-aligned",
                "-Wno-attributes"))
                .isEqualTo(expected);
    }

    /// Compares the bytes of a struct in which all bits of one field are set.
    private static void dump(StringBuilder main, List<String> expected, String name, Member member, BitFieldType bits,
            int byteSize) {
        String field = name + "." + member.name();
        main.append("    { " + name + " s; memset(&s, 0, sizeof s); s." + member.name() + " = -1; dump(\"" + field
                + "\", &s, sizeof s); }\n");
        byte[] bytes = new byte[byteSize];
        bits.integer().orElseThrow().set(MemorySegment.ofArray(bytes), member.byteOffset(), -1);
        expected.add(field + " " + HexFormat.of().formatHex(bytes));
    }

    private static void print(StringBuilder main, List<String> expected, String expression, long value) {
        main.append("    printf(\"").append(expression).append(" %zu\\n\", ").append(expression).append(");\n");
        expected.add(expression + " " + value);
    }

    private void declare(int number) {
        boolean packed = random.nextInt(5) == 0;
        List<String> components = new ArrayList<>();
        StringBuilder members = new StringBuilder();
        int count = 1 + random.nextInt(8);
        for (int i = 0; i < count; i++) {
            boolean bits = random.nextInt(4) == 0;
            boolean aligned = !packed && !bits && random.nextInt(6) == 0;
            int alignment = 1 << random.nextInt(6);
            String name = "m" + i;
            components.add((aligned ? "@Align(" + alignment + ") " : "")
                    + (bits ? bitField(name, members) : component(number, name, members)));
            members.append(aligned ? " __attribute__((packed, aligned(" + alignment + ")))" : "").append(";\n");
        }
        components.add("byte tells");
        members.append("    signed char tells;\n");
        boolean raised = random.nextInt(8) == 0;
        java.append(raised ? "    @Align(64) " : "    ")
                .append(packed ? "@Packed " : "")
                .append("record R")
                .append(number)
                .append("(")
                .append(String.join(", ", components))
                .append(") {}\n");
        c.append("struct ")
                .append(packed ? "__attribute__((packed)) " : "")
                .append(raised ? "__attribute__((aligned(64))) " : "")
                .append("R")
                .append(number)
                .append(" {\n")
                .append(members)
                .append("};\n");
    }

    /// Appends a bit field in C, and returns the component in Java.
    private String bitField(String name, StringBuilder members) {
        String[][] types = {{"byte", "signed char", "8"}, {"short", "short", "16"}, {"int", "int", "32"},
                {"long", "long long", "64"}, {"@Unsigned(1) int", "uint8_t", "8"},
                {"@Unsigned(2) int", "uint16_t", "16"}, {"@Unsigned(4) long", "uint32_t", "32"},
                {"@Unsigned(8) long", "uint64_t", "64"}, {"boolean", "_Bool", "1"}};
        String[] type = types[random.nextInt(types.length)];
        // A packed field of more bits could extend over 9 bytes.
        int size = 1 + random.nextInt(Math.min(57, Integer.parseInt(type[2])));
        members.append("    " + type[1] + " " + name + " : " + size);
        return "@Bits(" + size + ") " + type[0] + " " + name;
    }

    /// Appends an unsigned integer in C, and returns the component in Java.
    private String unsigned(String name, StringBuilder members) {
        int size = 1 + random.nextInt(8);
        members.append(Integer.bitCount(size) == 1
                ? "    uint" + Byte.SIZE * size + "_t " + name
                : "    unsigned char " + name + "[" + size + "]");
        return "@Unsigned(" + size + ") long " + name;
    }

    /// Appends a member in C, and returns the component in Java.
    private String component(int number, String name, StringBuilder members) {
        if (random.nextInt(6) == 0) {
            return unsigned(name, members);
        }
        String[] primitive = PRIMITIVES[random.nextInt(PRIMITIVES.length)];
        int length = 1 + random.nextInt(5);
        int other = random.nextInt(Math.max(1, number));
        members.append("    ");
        return switch (random.nextInt(number == 0 ? 5 : 8)) {
            case 0 -> {
                members.append(primitive[1] + " " + name + "[" + length + "]");
                yield "@Length(" + length + ") " + primitive[0] + "[] " + name;
            }
            case 1 -> {
                members.append("char " + name + "[" + length + "]");
                yield "@Length(" + length + ") String " + name;
            }
            case 2 -> {
                members.append("enum E " + name);
                yield "E " + name;
            }
            case 3 -> {
                members.append("void *" + name);
                yield "MemorySegment " + name;
            }
            case 5 -> {
                members.append("struct R" + other + " " + name);
                yield "R" + other + " " + name;
            }
            case 6 -> {
                members.append("struct R" + other + " " + name + "[2]");
                yield "@Length(2) R" + other + "[] " + name;
            }
            case 7 -> {
                String union = "U" + number + name;
                java.append("    sealed interface " + union + " permits " + union + "A, " + union + "B {}\n    record "
                        + union + "A(R" + other + " a) implements " + union + " {}\n    record " + union + "B("
                        + primitive[0] + " a, byte b) implements " + union + " {}\n");
                members.append("union { struct { struct R" + other + " a; } a; struct { " + primitive[1]
                        + " a; signed char b; } b; } " + name);
                yield "@Union(\"tells\") " + union + " " + name;
            }
            default -> {
                members.append(primitive[1] + " " + name);
                yield primitive[0] + " " + name;
            }
        };
    }
}
