package dev.arenakit.layout.text;

import dev.arenakit.layout.Programs;
import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Compares the types of parsed headers with gcc: sizes, alignments, offsets, kinds and bits of all structs, and all
/// constants. Takes some seconds: the compiler runs twice for each header.
@Tag("full")
@SuppressWarnings("InlineFormatString") // The program is long.
class CHeaderInCTest {
    /// A definition that has a name. The output of a preprocessor contains no comments.
    private static final Pattern DEFINITION = Pattern.compile(
            "\\b(struct|union)\\s+(?:__attribute__\\s*\\(\\([^{;]*?\\)\\)\\s*)?(\\w+)\\s*\\{");
    private static final String PROGRAM = """

            #define MEMBER(type, path) (((type *) 0)->path)
            #define KIND(value) __builtin_classify_type(value)
            #define SIGN(value) ((__typeof__(value)) -1 < 0)
            extern int printf(const char *, ...);
            static void show(const char *name, const unsigned char *at, long size) {
                long first = -1, count = 0;
                for (long i = 0; i < 8 * size; i++) {
                    if (at[i / 8] >> i %% 8 & 1) {
                        first = first < 0 ? i : first;
                        count++;
                    }
                }
                printf("%%s: %%ld bits at %%ld\\n", name, count, first);
            }
            int main(void) {
            %s    return 0;
            }
            """;
    private static final int POINTER = 5;
    private static final int FLOAT = 8;
    private static final int INTEGER = 1;

    @TempDir
    Path directory;

    private final List<String> expected = new ArrayList<>();
    private final StringBuilder statements = new StringBuilder();

    @BeforeEach
    void assumeCompiler() {
        Programs.assumeInstalled("cc");
        assumeTrue(System.getProperty("os.arch", "").equals("amd64"), "The machine is not x86-64");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "linux/io_uring.h | linux-libc-dev", "linux/perf_event.h | linux-libc-dev",
            "linux/if_packet.h | linux-libc-dev", "linux/tcp.h | linux-libc-dev", "linux/bpf.h | linux-libc-dev",
            "linux/input.h | linux-libc-dev", "linux/fuse.h | linux-libc-dev", "linux/kvm.h | linux-libc-dev",
            "linux/videodev2.h | linux-libc-dev", "linux/btrfs.h | linux-libc-dev", "linux/ethtool.h | linux-libc-dev",
            "linux/netlink.h | linux-libc-dev", "linux/usb/ch9.h | linux-libc-dev", "linux/aio_abi.h | linux-libc-dev",
            "sound/asound.h | linux-libc-dev", "netinet/ip.h | libc6-dev", "netinet/tcp.h | libc6-dev",
            "netinet/in.h | libc6-dev", "sys/stat.h | libc6-dev", "sys/socket.h | libc6-dev", "sys/epoll.h | libc6-dev",
            "sys/timex.h | libc6-dev", "sys/user.h | libc6-dev", "sys/statvfs.h | libc6-dev", "elf.h | libc6-dev",
            "dirent.h | libc6-dev", "signal.h | libc6-dev", "time.h | libc6-dev", "termios.h | libc6-dev",
            "stdio.h | libc6-dev", "netdb.h | libc6-dev", "pthread.h | libc6-dev", "stddef.h | libc6-dev",
            "zlib.h | zlib1g-dev", "sqlite3.h | libsqlite3-dev"})
    void parse_systemHeader_hasTheLayoutsOfGcc(String header, String debianPackage)
            throws IOException, InterruptedException {
        boolean found = Stream.of("", "x86_64-linux-gnu")
                .anyMatch(path -> Files.exists(Path.of("/usr/include", path, header)));
        assumeTrue(found || header.equals("stddef.h"),
                () -> "needs " + header + ": apt-get install " + debianPackage);
        String text = preprocessed("#include <sys/types.h>\n#include <" + header + ">\n");
        CHeaderTypes types = CHeader.parse(text);
        compare(text, types);
        assertThat(types.refused()).isEmpty();
        Matcher definition = DEFINITION.matcher(text);
        while (definition.find()) {
            assertThat(types.types()).containsKey(definition.group(1) + " " + definition.group(2));
        }
    }

    /// Bit fields, packed structs and alignments in any combination.
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void parse_anyStructs_haveTheLayoutsOfGcc(int seed) throws IOException, InterruptedException {
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder("""
                typedef int low __attribute__((aligned(2)));
                typedef long high __attribute__((aligned(32)));
                struct S0 { char a; long b; };
                """);
        for (int i = 1; i <= 300; i++) {
            int pack = random.nextInt(4) > 0 ? 0 : 1 << random.nextInt(4);
            text.append(pack > 0 ? "#pragma pack(push, " + pack + ")\n" : "")
                    .append(random.nextInt(6) > 0 ? "struct" : "union")
                    .append(attribute(random, 8))
                    .append(" S" + i + " {\n");
            int count = 1 + random.nextInt(6);
            for (int member = 0; member < count; member++) {
                text.append(member(random, "m" + member)).append(";\n");
            }
            text.append("}").append(attribute(random, 8)).append(";\n").append(pack > 0 ? "#pragma pack(pop)\n" : "");
        }
        CHeaderTypes parsed = CHeader.parse(text.toString());
        compare(text.toString(), parsed);
        assertThat(parsed.refused().size()).as("%s", parsed.refused()).isLessThan(20);
    }

    @Test
    void parse_oddStructs_haveTheLayoutsOfGcc() throws IOException, InterruptedException {
        String text = """
                struct unnamed { int : 32; }; struct aligned {} __attribute__((aligned(16)));
                struct after { struct unnamed u; int x; }; struct around { char c; struct aligned a; char d; };
                union both { struct unnamed u; char c; }; struct inner { struct after a; struct unnamed u[2]; };
                #pragma pack(3)
                struct three { char c; int i; };
                #pragma pack(2);
                #pragma pack(pop)
                struct two { char c; int i; };
                #pragma pack()
                #pragma pack(push, a, 1)
                #pragma pack(push, b, 2)
                #pragma pack(push, 4)
                #pragma pack(pop, a)
                struct popped { char c; long i; };
                """;
        CHeaderTypes parsed = CHeader.parse(text);
        compare(text, parsed);
        assertThat(parsed.refused()).isEmpty();
    }

    private static String attribute(Random random, int rarity) {
        return random.nextInt(rarity) > 0
                ? ""
                : random.nextBoolean()
                        ? " __attribute__((packed))"
                        : " __attribute__((aligned(" + (1 << random.nextInt(6)) + ")))";
    }

    private static String member(Random random, String name) {
        List<String> integers = List.of("char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long",
                "unsigned long");
        String integer = integers.get(random.nextInt(integers.size()));
        int bits = 8 << (integers.indexOf(integer) / 2);
        return switch (random.nextInt(9)) {
            case 0, 1, 2 -> integer + " " + name + " : " + (1 + random.nextInt(bits));
            case 3 -> integer + " : " + random.nextInt(bits + 1);
            case 4 -> (random.nextBoolean() ? "low " : "high ") + name;
            case 5 -> "struct S0 " + name + (random.nextBoolean() ? "[2]" : "") + attribute(random, 3);
            case 6 -> "struct { " + integer + " in_" + name + "; char c_" + name + " : 3; }";
            case 7 -> "struct S0 *" + name + attribute(random, 3);
            default -> integer + " " + name + (random.nextInt(3) > 0 ? "" : "[3]") + attribute(random, 3);
        };
    }

    private String preprocessed(String source) throws IOException, InterruptedException {
        Files.writeString(directory.resolve("header.c"), "#define _GNU_SOURCE\n" + source);
        Programs.output(directory, "cc", "-E", "header.c", "-o", "header.i");
        return Files.readString(directory.resolve("header.i"));
    }

    private void compare(String text, CHeaderTypes types) throws IOException, InterruptedException {
        types.types().forEach((name, type) -> {
            line(name + " size", "sizeof(" + name + ")", type.byteSize());
            line(name + " alignment", "_Alignof(" + name + ")", type.byteAlignment());
            members(name, type, "", 0);
        });
        types.constants().forEach((name, value) -> line(name, name, value));
        Files.writeString(directory.resolve("main.c"), text + PROGRAM.formatted(statements));
        Programs.output(directory, "cc", "-w", "-o", "main", "main.c");
        List<String> wrong = new ArrayList<>(expected);
        wrong.removeAll(Set.copyOf(Programs.output(directory, directory.resolve("main").toString())));
        assertThat(wrong).as("what differs from gcc").isEmpty();
    }

    private void line(String name, String value, long inJava) {
        statements.append("    printf(\"%s: %%ld\\n\", (long) (%s));%n".formatted(name, value));
        expected.add(name + ": " + inJava);
    }

    private void members(String root, MemoryType type, String path, long byteOffset) {
        for (Member member : type.members()) {
            boolean anonymous = member.name().startsWith("anon_");
            String inner = anonymous ? path : path + member.name();
            long offset = byteOffset + member.byteOffset();
            if (member.type() instanceof BitFieldType bits) {
                String name = root + "." + inner;
                statements.append("    { static %s value; value.%s = -1;%n".formatted(root, inner))
                        .append("      show(\"%s\", (unsigned char *) &value, sizeof value);%n".formatted(name))
                        .append("      printf(\"%s sign: %%d\\n\", value.%s < 0); }%n".formatted(name, inner));
                expected.add("%s: %d bits at %d".formatted(name, bits.bitSize(), 8 * offset + bits.bitOffset()));
                expected.add(name + " sign: " + (bits.isSigned() ? 1 : 0));
            } else if (anonymous) {
                members(root, member.type(), inner, offset);
            } else {
                line(root + "." + inner + " offset", "__builtin_offsetof(" + root + ", " + inner + ")", offset);
                value(root, member.type(), inner, offset);
            }
        }
    }

    private void value(String root, MemoryType type, String path, long byteOffset) {
        String name = root + "." + path;
        String member = "MEMBER(" + root + ", " + path + ")";
        if (type.byteSize() > 0) {
            line(name + " size", "sizeof(" + member + ")", type.byteSize());
        }
        boolean wide = type instanceof ArrayType array && array.element().byteAlignment() < array.byteAlignment();
        if (type instanceof ArrayType array && !wide) {
            value(root, array.element(), path + "[0]", byteOffset);
        } else if (type instanceof StructType || type instanceof UnionType) {
            members(root, type, path + ".", byteOffset);
        } else if (type.isScalar() && !(type instanceof EnumType) && !type.toString().contains("carrier=boolean")) {
            line(name + " kind", "KIND(" + member + ")", type instanceof AddressType
                    ? POINTER
                    : type.integer().isPresent() ? INTEGER : FLOAT);
            type.integer()
                    .ifPresent(integer -> line(name + " sign", "SIGN(" + member + ")", integer.isSigned() ? 1 : 0));
        }
    }
}
