package dev.arenakit.layout;

import dev.arenakit.layout.text.Gcc;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.StructType;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
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
            import java.lang.foreign.MemorySegment;

            public class Main {
                enum E { A, B }
            """);
    private final StringBuilder c = new StringBuilder("""
            #include <stddef.h>
            #include <stdio.h>
            enum E { A, B };
            """);

    @Test
    void type_ofARecord_hasTheOffsetsOfGcc(@TempDir Path folder) throws Exception {
        Gcc.assumeInstalled();
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
                    print(main, expected, "offsetof(" + name + ", " + member.name() + ")", member.byteOffset());
                }
            }
        }

        assertThat(Gcc.run(folder, c + "" + main + "    return 0;\n}\n", "-Wno-packed-not-aligned",
                "-Wno-attributes"))
                .isEqualTo(expected);
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
            boolean aligned = !packed && random.nextInt(6) == 0;
            int alignment = 1 << random.nextInt(6);
            String name = "m" + i;
            components.add((aligned ? "@Align(" + alignment + ") " : "") + component(number, name, members));
            members.append(aligned ? " __attribute__((packed, aligned(" + alignment + ")))" : "").append(";\n");
        }
        components.add("byte tells");
        members.append("    signed char tells;\n");
        java.append(packed ? "    @Packed " : "    ")
                .append("record R")
                .append(number)
                .append("(")
                .append(String.join(", ", components))
                .append(") {}\n");
        c.append("struct ")
                .append(packed ? "__attribute__((packed)) " : "")
                .append("R")
                .append(number)
                .append(" {\n")
                .append(members)
                .append("};\n");
    }

    /// Appends a member in C, and returns the component in Java.
    private String component(int number, String name, StringBuilder members) {
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
