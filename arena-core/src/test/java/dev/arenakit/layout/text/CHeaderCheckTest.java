package dev.arenakit.layout.text;

import dev.arenakit.layout.Programs;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.Align;
import dev.arenakit.layout.annotation.Members;
import dev.arenakit.layout.annotation.Name;
import dev.arenakit.layout.annotation.Packed;
import dev.arenakit.layout.annotation.TargetType;
import dev.arenakit.layout.annotation.Union;
import dev.arenakit.layout.type.StructType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Compares structs with the declarations of C headers, by the C compiler of the machine.
@SuppressWarnings("ArrayRecordComponent") // Mapped records may contain arrays.
class CHeaderCheckTest {
    /// A member of each kind, and the same struct as a text.
    private static final String IN_C = """
            #include <stdbool.h>
            #include <stdint.h>
            #include <uchar.h>
            enum color { RED, GREEN };
            struct T {
                int number; unsigned int count; long large; float ratio; double value; bool is_open; char mark;
                unsigned char octets[6]; char16_t unit; void *next; int (*call)(void); char name[8]; char *text;
                short grid[2][3]; enum color color;
                unsigned int low : 4; unsigned int high : 4; int sign : 3; unsigned long wide : 33; bool flag : 1;
                struct { short x; unsigned y : 5; } at[2];
                union { int i; float f; unsigned bits : 7; } any;
                uint16_t __pad2;
                struct in { char c; long l; } in;
            };
            typedef struct T T;
            typedef struct in in;
            """;
    private static final String IN_TEXT = """
            #pragma layout 2
            enum color { RED, GREEN };
            struct in { int8_t c; int64_t l; };
            struct T {
                int32_t number; uint32_t count; int64_t large; float ratio; double value; bool is_open; int8_t mark;
                uint8_t octets[6]; uint16_t @char unit; void *next; void *call; char name[8]; void *text;
                int16_t grid[2][3]; enum color color;
                uint32_t low : 4; uint32_t high : 4; int32_t sign : 3; uint64_t wide : 33; bool flag : 1;
                struct { int16_t x; uint32_t y : 5; } at[2];
                union { int32_t i; float f; uint32_t bits : 7; } any;
                uint16_t __pad2;
                struct in in;
            };
            """;

    @TempDir
    Path directory;

    @BeforeEach
    void assumeCompiler() {
        Programs.assumeInstalled("cc");
    }

    @Test
    void check_sameStruct_passes() throws IOException, InterruptedException {
        assertThat(errors(IN_C, IN_TEXT, "T", "in")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "int32_t number | int8_t number | size of T.number",
            "int32_t number | float number | kind of T.number",
            "uint32_t count | int32_t count | kind of T.count",
            "int64_t large | void *large | kind of T.large",
            "float ratio | int32_t ratio | kind of T.ratio",
            "bool is_open | int8_t is_open | kind of T.is_open",
            "uint8_t octets[6] | int8_t octets[6] | kind of T.octets[0]",
            "uint16_t @char unit | int16_t unit | kind of T.unit",
            "void *next | int64_t next | next",
            "void *next | char next[8] | kind of T.next",
            "char name[8] | int64_t @align(1) name | name",
            "char name[8] | void * @align(1) name | kind of T.name",
            "char name[8] | char16_t name[4] | size of T.name[0]",
            "int16_t grid[2][3] | int16_t grid[3][2] | size of T.grid[0]",
            "enum color color | float color | kind of T.color",
            "low : 4; uint32_t high : 4 | high : 4; uint32_t low : 4 | bits of T.low",
            "low : 4; uint32_t high : 4 | low : 3; uint32_t high : 5 | bits of T.low",
            "int32_t sign : 3 | uint32_t sign : 3 | sign of T.sign",
            "uint64_t wide : 33 | int64_t wide : 33 | sign of T.wide",
            "uint32_t y : 5 | uint32_t y : 6 | bits of T.at[0].y",
            "float f | int32_t f | kind of T.any.f",
            "uint16_t __pad2 | uint16_t __pad3 | __pad3",
            "struct in { int8_t c; int64_t l; } | struct in @packed { int8_t c; int64_t l @offset(8); } | alignment of in",
            "int64_t l; | uint64_t l; | kind of in.l"})
    void check_difference_isFound(String same, String different, String error)
            throws IOException, InterruptedException {
        if (error.startsWith("bits") || error.startsWith("sign")) {
            assumeTrue(
                    compile("#if !defined(__GNUC__) || defined(__clang__) || __GNUC__ < 11\n#error\n#endif\n")
                            .isEmpty(),
                    "The compiler is not gcc 11 or newer, which alone evaluates bit fields");
        }
        assertThat(IN_TEXT).containsOnlyOnce(same);
        assertThat(errors(IN_C, IN_TEXT.replace(same, different), "T", "in")).anyMatch(line -> line.contains(error));
    }

    enum Color {
        RED, GREEN
    }

    record Painted(Color color) {}

    @Test
    void check_constantOfAnotherValue_isFound() throws IOException, InterruptedException {
        String inC = """
                enum color { RED = %d, GREEN };
                typedef enum color Color;
                typedef struct { Color color; } Painted;
                #define ARENAKIT_Color
                """;
        StructType painted = RecordMapper.of(Painted.class).type();
        assertThat(errors(inC.formatted(0), painted, "Painted")).isEmpty();
        assertThat(errors(inC.formatted(1), painted, "Painted"))
                .anyMatch(line -> line.contains("value of RED"));
    }

    @Test
    void check_constantsAndRenamedMembersOfTwoOfOurHeaders_areComparedUnderTheNamesOfTheFirst()
            throws IOException, InterruptedException {
        String text = "#pragma layout 2\nenum Color { RED = %d }; struct T { uint64_t __used; enum Color color; };";
        String first = LayoutText.toCHeader(LayoutText.parse(text.formatted(0)));
        assertThat(first).contains("uint64_t x__used");
        assertThat(errors(first, text.formatted(0))).isEmpty();
        assertThat(errors(first, text.formatted(1))).anyMatch(line -> line.contains("value of Color_RED"));
    }

    @Name("node")
    record Node(@TargetType(Node.class) MemorySegment next, @Union(of = Link.class) byte[] link,
            @TargetType(Tree.class) MemorySegment tree) {}

    @Name("link")
    @Union
    @Members({"node", "tree"})
    interface Link {
        @TargetType(Node.class)
        MemorySegment node();

        @TargetType(Tree.class)
        MemorySegment tree();
    }

    @Name("tree")
    record Tree(@TargetType(Node.class) MemorySegment first, int size) {}

    record Forest(Node node, Tree one) {}

    @Test
    void check_structsThatReferToThemselves_areDeclaredOnce() throws IOException, InterruptedException {
        List<StructType> structs = List.of(RecordMapper.of(Node.class).type(), RecordMapper.of(Tree.class).type());
        String header = LayoutText.toCHeader(structs).text();
        assertThat(header).contains("struct node *next;", "struct tree *tree;").doesNotContain("_2 ");
        assertThat(compile(header)).isEmpty();
        String inC = """
                typedef union { struct node *node; struct tree *tree; } link;
                typedef struct node { struct node *next; link link; struct tree *tree; } node;
                #define ARENAKIT_link
                #define ARENAKIT_node
                """;
        assertThat(compile(inC + header)).isEmpty();

        String below = LayoutText.toCHeader(RecordMapper.of(Forest.class).type());
        assertThat(below).contains("struct node *next;", "struct tree *tree;").doesNotContain("_2 ");
        assertThat(compile(below)).isEmpty();
    }

    @Test
    void check_memberThatIsRenamed_isComparedUnderItsOwnName() throws IOException, InterruptedException {
        String inC = """
                typedef struct { long errno; } In;
                typedef struct { unsigned long __used; int bool : 3; In in; } T;
                """;
        String text = "#pragma layout 2\nstruct In { int64_t errno; }; struct T { uint64_t __used; int32_t bool : 3; struct In in; };";
        assertThat(errors(inC, text, "T", "In")).isEmpty();
        assertThat(errors(inC, text.replace("uint64_t", "int64_t"), "T", "In"))
                .anyMatch(line -> line.contains("kind of T.__used"));
    }

    record Inner(byte c, long l) {}

    @Packed
    record Outer(byte c, Inner in) {}

    record Raised(@Align(32) Inner in) {}

    @Packed
    record PackedInner(byte c, long l) {}

    @Packed
    record OfPacked(byte c, PackedInner in) {}

    @Test
    void check_structInAPackedStruct_keepsItsOwnAlignment() throws IOException, InterruptedException {
        String inC = """
                typedef struct { char c; long l; } Inner;
                typedef struct __attribute__((packed)) { char c; Inner in; } Outer;
                typedef struct { _Alignas(32) Inner in; } Raised;
                typedef struct __attribute__((packed)) { char c; long l; } PackedInner;
                typedef struct __attribute__((packed)) { char c; PackedInner in; } OfPacked;
                """;
        for (StructType struct : List.of(RecordMapper.of(Outer.class).type(), RecordMapper.of(Raised.class).type(),
                RecordMapper.of(OfPacked.class).type())) {
            StructType parsed = LayoutText.parse(LayoutText.print(struct));
            assertThat(parsed).isEqualTo(struct);
            assertThat(LayoutText.print(parsed)).isEqualTo(LayoutText.print(struct));
            assertThat(errors(inC, struct, struct.name(), "Inner", "PackedInner")).isEmpty();
            assertThat(errors(inC, parsed, struct.name(), "Inner", "PackedInner")).isEmpty();
        }
        String others = inC.replace("typedef struct { char c; long l; } Inner",
                "typedef struct __attribute__((packed)) { char c; char pad[7]; long l; } Inner");
        assertThat(errors(others, RecordMapper.of(Outer.class).type(), "Outer", "Inner"))
                .anyMatch(line -> line.contains("alignment of Inner"));
    }

    record Failure(int errno, int stderr) {}

    @Test
    void toCHeader_macrosOfTheCLibrary_areNoNames() throws IOException, InterruptedException {
        String header = LayoutText.toCHeader(RecordMapper.of(Failure.class).type());
        assertThat(header).contains("int32_t errno_; /* errno */");
        assertThat(compile("#include <errno.h>\n#include <stdio.h>\n" + header)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"""
            time.h sys/time.h
            struct tm { int32_t tm_sec; int32_t tm_min; int32_t tm_hour; int32_t tm_mday; int32_t tm_mon;
                int32_t tm_year; int32_t tm_wday; int32_t tm_yday; int32_t tm_isdst; int64_t tm_gmtoff; void *tm_zone; };
            struct timespec { int64_t tv_sec; int64_t tv_nsec; };
            struct timeval { int64_t tv_sec; int64_t tv_usec; };
            struct timezone_ { int32_t tz_minuteswest; int32_t tz_dsttime; };
            struct itimerspec { struct timespec it_interval; struct timespec it_value; };
            struct itimerval { struct timeval it_interval; struct timeval it_value; };
            """, """
            sys/epoll.h
            union epoll_data { void *ptr; int32_t fd; uint32_t u32; uint64_t u64; };
            struct epoll_event @packed { uint32_t events; union epoll_data data; };
            """, """
            netinet/ip.h
            struct in_addr { uint32_t s_addr; };
            struct timestamp { uint8_t len; uint8_t ptr; uint32_t flags : 4; uint32_t overflow : 4; uint32_t data[9]; };
            struct iphdr { uint32_t ihl : 4; uint32_t version : 4; uint8_t tos; uint16_t tot_len; uint16_t id;
                uint16_t frag_off; uint8_t ttl; uint8_t protocol; uint16_t check; uint32_t saddr; uint32_t daddr; };
            struct ip { uint32_t ip_hl : 4; uint32_t ip_v : 4; uint8_t ip_tos; uint16_t ip_len; uint16_t ip_id;
                uint16_t ip_off; uint8_t ip_ttl; uint8_t ip_p; uint16_t ip_sum; struct in_addr ip_src;
                struct in_addr ip_dst; };
            struct ip_timestamp { uint8_t ipt_code; uint8_t ipt_len; uint8_t ipt_ptr; uint32_t ipt_flg : 4;
                uint32_t ipt_oflw : 4; uint32_t data[9]; };
            """, """
            termios.h
            struct termios { uint32_t c_iflag; uint32_t c_oflag; uint32_t c_cflag; uint32_t c_lflag; uint8_t c_line;
                uint8_t c_cc[32]; uint32_t c_ispeed; uint32_t c_ospeed; };
            """, """
            sys/utsname.h
            struct utsname { char sysname[65]; char nodename[65]; char release[65]; char version[65]; char machine[65];
                char __domainname[65]; };
            """, """
            dirent.h fcntl.h
            struct dirent { uint64_t d_ino; int64_t d_off; uint16_t d_reclen; uint8_t d_type; char d_name[256]; };
            struct flock { int16_t l_type; int16_t l_whence; int64_t l_start; int64_t l_len; int32_t l_pid; };
            """, """
            sys/signalfd.h
            struct signalfd_siginfo { uint32_t ssi_signo; int32_t ssi_errno; int32_t ssi_code; uint32_t ssi_pid;
                uint32_t ssi_uid; int32_t ssi_fd; uint32_t ssi_tid; uint32_t ssi_band; uint32_t ssi_overrun;
                uint32_t ssi_trapno; int32_t ssi_status; int32_t ssi_int; uint64_t ssi_ptr; uint64_t ssi_utime;
                uint64_t ssi_stime; uint64_t ssi_addr; uint16_t ssi_addr_lsb; uint16_t __pad2; int32_t ssi_syscall;
                uint64_t ssi_call_addr; uint32_t ssi_arch; uint8_t __pad[28]; };
            """})
    void check_structsOfASystemHeader_pass(String headersAndStructs) throws IOException, InterruptedException {
        int line = headersAndStructs.indexOf('\n');
        String includes = List.of(headersAndStructs.substring(0, line).split(" ", -1))
                .stream()
                .map("#include <%s>%n"::formatted)
                .collect(Collectors.joining());
        assumeTrue(compile("#include <features.h>\n#ifndef __GLIBC__\n#error\n#endif\n" + includes).isEmpty(),
                "The headers of the machine are not glibc's");
        String[] definitions = headersAndStructs.substring(line).strip().split("(?<=};)\n", -1);
        StringBuilder before = new StringBuilder("#pragma layout 2\n");
        StringBuilder program = new StringBuilder("#define _DEFAULT_SOURCE\n").append(includes);
        for (String definition : definitions) {
            before.append(definition).append('\n');
            String[] words = definition.strip().split(" ", 3);
            String inC = words[1].replaceFirst("_$", ""); // `timezone` is a variable of the C library too
            program.append("typedef %1$s %3$s %2$s;%n#define ARENAKIT_%2$s%n".formatted(words[0], words[1], inC));
            if (words[0].equals("struct")) {
                program.append(LayoutText.toCHeader(LayoutText.parse(before.toString())));
            }
        }
        assertThat(compile(program.toString())).isEmpty();
    }

    private List<String> errors(String inC, String text, String... guards) throws IOException, InterruptedException {
        return errors(inC, LayoutText.parse(text), guards);
    }

    private List<String> errors(String inC, StructType struct, String... guards)
            throws IOException, InterruptedException {
        StringBuilder program = new StringBuilder(inC);
        for (String guard : guards) {
            program.append("#define ARENAKIT_").append(guard).append('\n');
        }
        return compile(program + LayoutText.toCHeader(struct));
    }

    /// Returns what the compiler prints about a program.
    private List<String> compile(String program) throws IOException, InterruptedException {
        Files.writeString(directory.resolve("check.c"), program);
        Path errors = directory.resolve("errors.txt");
        Process compiler = new ProcessBuilder("cc", "-std=c11", "-Wall", "-Wextra", "-fsyntax-only", "check.c")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(errors.toFile())
                .start();
        boolean compiled = compiler.waitFor() == 0;
        List<String> lines = Files.readAllLines(errors);
        assertThat(lines.isEmpty()).as("%s", lines).isEqualTo(compiled);
        return lines;
    }
}
