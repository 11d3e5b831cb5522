package dev.arenakit.layout.text;

import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.StructType;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class CHeaderParseTest {
    /// The output of a preprocessor. All values were compared with gcc 12.
    private static final String HEADER = """
            # 1 "trade.c"
            # 1 "/usr/include/trade.h" 1 3 4
            typedef unsigned char __u8; typedef __signed__ long long s64; typedef __u8 six[6];
            extern int printf (const char *__restrict, ...) __attribute__ ((__format__ (__printf__, 1, 2)));
            static __inline int twice(int x) { struct local { int x; } y = {x}; return y.x * 2; }
            extern const char *const names[]; typedef int (*callback)(void *, struct trade *); __asm__("nop");
            enum side { BUY, SELL = 1 << 2 | 0x3, OTHER, FIRST = BUY, LAST = (int) sizeof(struct { char c; long l; }) - 1,
                LOW = ~0, LETTER = 'x', };
            _Static_assert(sizeof(int) == 4, "size; of int");
            struct trade {
                __extension__ union { s64 id; struct { unsigned low, high; }; };
                enum side side;
                unsigned open : 1, level : 4, : 0, late : 9;
                struct trade *next, **all[2];
                char name[sizeof(six) + 2]; six mac[2];
                double price __attribute__((__aligned__(16))); callback call;
                const volatile _Bool flag; __int128 wide;
                struct row { short x, y[2][3]; } rows[];
            };
            # 40 "/usr/include/packed.h"
            #pragma pack(push, 2)
            typedef struct { char c; long l; } two, *twos;
            #pragma pack(pop)
            struct packed { char c; two t; int i __attribute__((aligned(4))); } __attribute__((packed));
            """;

    @Test
    void parse_header_hasTheTypesOfC() {
        CHeaderTypes header = CHeader.parse(HEADER);
        assertThat(header.refused()).isEmpty();
        assertThat(header.types().keySet()).containsExactly("__u8", "s64", "six", "callback", "enum side", "struct row",
                "struct trade", "two", "twos", "struct packed");
        assertThat(describe(header, "trade")).isEqualTo("""
                struct trade: size 128, alignment 16

                offset  size  type                  name
                     0     8  union                 anon_union1
                     0     8    int64_t             id
                     0     8    struct              anon_struct1
                     0     4      uint32_t          low
                     4     4      uint32_t          high
                     8     4  enum side             side
                    12     1  uint32_t : 1          open
                    12     1  uint32_t : 4 @bit(1)  level
                    13     3  *** hole ***
                    16     2  uint32_t : 9          late
                    18     6  *** hole ***
                    24     8  struct trade *        next
                    32    16  void *[2]             all
                    48     8  char[8]               name
                    56    12  uint8_t[2][6]         mac
                    68    12  *** hole ***
                    80     8  double                price
                    88     8  void *                call
                    96     1  bool                  flag
                    97    15  *** hole ***
                   112    16  int8_t[16]            wide
                   128     0  struct row[0]         rows

                Holes: 36 bytes in 4 places.
                """);
        assertThat(describe(header, "packed")).contains("struct packed: size 16, alignment 4",
                "     1    10  struct two      t", "    12     4  int32_t         i");
    }

    private static String describe(CHeaderTypes header, String name) {
        return LayoutText.describe((StructType) header.find(name).orElseThrow());
    }

    @Test
    void parse_enum_countsFromThePreviousConstant() {
        CHeaderTypes header = CHeader.parse(HEADER);
        assertThat(header.constants()).hasToString(
                "{BUY=0, SELL=7, OTHER=8, FIRST=0, LAST=15, LOW=-1, LETTER=120}");
        // A type has one name for each value.
        assertThat(((EnumType) header.find("side").orElseThrow()).constants()).extracting(EnumType.Constant::name)
                .containsExactly("BUY", "SELL", "OTHER", "LAST", "LOW", "LETTER");
    }

    @ParameterizedTest
    @CsvSource(delimiterString = "=>", quoteCharacter = '"', value = {
            "1 + 2 * 3 - 10 / 3 % 2 => 6", "7 - 2 - 1 => 4", "(1 + 2) * -3 => -9", "1 << 4 >> 2 => 4",
            "6 & 3 ^ 8 | 1 => 11", "~0U => 4294967295", "~0UL => -1", "-1 >> 1 => -1", "-1U / 2 => 2147483647",
            "1U - 2 < 0 => 0", "!0 && 2 == 2 || 0 => 1", "(unsigned char) -1 => 255",
            "(signed char) 200 => -56", "(unsigned long) -32 => -32", "sizeof(long double[2]) => 32",
            "_Alignof(short *) => 8", "010 => 8", "'a' => 97",
            "0x7fffffff + 0L => 2147483647"})
    void parse_expression_hasTheValueOfC(String expression, String value) {
        CHeaderTypes header = CHeader.parse("enum { X = " + expression + " };");
        assertThat(header.constants()).as("%s", header.refused()).containsEntry("X", Long.parseLong(value));
    }

    @Test
    void parse_declarationsWithoutEquivalent_areNamedWithTheirLines() {
        CHeaderTypes header = CHeader.parse("""
                # 1 "a.h"
                typedef int fine;
                # 10 "b.h" 1
                struct bad {
                    int ok;
                    __typeof__(int) wrong;
                };
                struct outer { struct bad by_value; };
                typedef struct { _Complex double c; } complex;
                __extension__ typedef float vector __attribute__((vector_size(16)));
                struct after { fine x; struct bad *p; };
                enum { HALF = 1 / 0 }; enum { ONE = 1 ? 1 : 2 };
                struct { struct tag { int twice; }; struct tag { int twice; }; } twice;
                #pragma scalar_storage_order big-endian
                garbage here; }
                enum sized : long { SIZED };
                enum moded { MODED } __attribute__((mode(QI)));
                struct [[gnu::packed]] bracketed { char c; int i; };
                typedef struct { long l; } last; struct last { char c; };
                struct wide { int *__attribute__((aligned(16))) p; };
                typedef int low __attribute__((aligned(1))); union full { low bits : 32; };
                """);
        assertThat(header.types().keySet()).containsExactly("fine", "struct after", "struct tag", "last", "low");
        assertThat(header.refused()).extracting(CHeaderTypes.Refusal::toString)
                .containsExactly("b.h:12: struct bad: __typeof__ is no known type",
                        "b.h:14: struct outer: struct bad has no size", "b.h:15: complex: _Complex is no known type",
                        "b.h:16: vector: attribute is not supported here", "b.h:18: enum: division by zero",
                        "b.h:18: enum: expected ',', found ?",
                        "b.h:19: struct tag: is defined twice",
                        "b.h:20: #pragma scalar_storage_order big-endian: is not supported",
                        "b.h:21: garbage: garbage is no known type", "b.h:21: }: expected a declaration, found }",
                        "b.h:22: enum sized: expected '{', found :",
                        "b.h:23: enum moded: attribute is not supported here",
                        "b.h:24: struct: expected '{', found [",
                        "b.h:25: struct last: is defined twice",
                        "b.h:26: struct wide: attribute is not supported here",
                        "b.h:27: union full: bit field of this type, size or alignment");
    }

    @Test
    void parse_textBeforeThePreprocessor_namesTheRemedy() {
        assertThat(CHeader.parse("#ifndef A\n#define A\n#include <b.h>\nstruct a { int x; };\n#endif\n").refused())
                .hasToString("[1: #ifndef A: is for the preprocessor; parse the output of cc -E]");
    }

    @Test
    void parse_deeplyNested_isRefusedOnASmallStack() throws InterruptedException {
        List<String> deep = List.of("struct a { ", "enum { A = (", "enum { A = - ",
                "typedef int (", "typedef int *", "typedef int _Alignas(int ", "int __attribute__((aligned(sizeof(int ",
                "enum { A = sizeof(struct { int x[", "typedef int a[1][1", "[1]", "{", "__attribute__((", "enum a {");
        StringBuilder doubled = new StringBuilder("struct a0 { char c; int i; };");
        StringBuilder arrays = new StringBuilder("typedef long b0;");
        for (int i = 1; i < 60; i++) {
            doubled.append(
                    "struct a%1$d { struct a%2$d x, y; }; struct p%1$d { struct a%2$d x; } __attribute__((packed));"
                            .formatted(i, i - 1));
            arrays.append("typedef b%d b%d[8];".formatted(i - 1, i));
        }
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread thread = new Thread(null, () -> {
            for (String begin : deep) {
                assertThat(CHeader.parse(begin.repeat(3_000)).types()).as(begin).isEmpty();
            }
            assertThat(CHeader.parse(doubled.toString()).refused()).isNotEmpty();
            assertThat(CHeader.parse(arrays.toString()).refused()).isNotEmpty();
        }, "small stack", 512 << 10);
        thread.setUncaughtExceptionHandler((_, e) -> thrown.set(e));
        thread.start();
        thread.join();
        assertThat(thrown.get()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"typedef struct big aligned%d __attribute__((aligned(64)));",
            "struct aligned%d { struct big b __attribute__((aligned(64))); };", "typedef wide aligned%d[1];"})
    void parse_manyCopiesOfALargeStruct_areRefused(String copy) {
        StringBuilder text = new StringBuilder("struct big {");
        for (int i = 0; i < 6_400; i++) {
            text.append("char c" + i + ";");
        }
        text.append("};typedef struct big wide __attribute__((aligned(64)));");
        for (int i = 0; i < 200; i++) {
            text.append(copy.formatted(i));
        }
        CHeaderTypes header = CHeader.parse(text.toString());
        assertThat(header.types()).hasSizeBetween(10, 50);
        assertThat(header.refused().getLast().reason())
                .isEqualTo("too many types with another alignment than their own");
    }

    @Test
    void parse_mutations_throwNothing() {
        mutate(80);
    }

    @Test
    @Tag("slow")
    void parse_manyMutations_throwNothing() {
        mutate(100_000);
    }

    private static void mutate(int count) {
        List<String> pieces = List.of("{", "}", "(", ")", "[", "]", ";", ",", "*", ":", "=", "\"", "'", "/*", "\n", "#",
                "# 7 \"x\"\n", "#pragma pack(1)\n", "struct ", "union ", "enum ", "typedef ", "int ", "long double ",
                "__attribute__((packed)) ", "__attribute__((aligned(64))) ", "trade ", "99999999999 ", "-", "~", "?",
                "sizeof(", "(char)", "x:3;", "\\", "\0", "é", "$");
        Random random = new Random(42);
        for (int i = 0; i < count; i++) {
            StringBuilder text = new StringBuilder(HEADER);
            for (int change = random.nextInt(4); change >= 0; change--) {
                int at = random.nextInt(text.length());
                int end = Math.min(text.length(), at + random.nextInt(random.nextInt(8) == 0 ? 400 : 6));
                text.replace(at, end, random.nextBoolean() ? "" : pieces.get(random.nextInt(pieces.size())));
            }
            CHeaderTypes header = CHeader.parse(text.toString());
            header.types().values().forEach(type -> {
                if (type instanceof StructType struct) {
                    assertThat(LayoutText.parse(LayoutText.print(struct))).isEqualTo(struct);
                }
            });
        }
    }
}
