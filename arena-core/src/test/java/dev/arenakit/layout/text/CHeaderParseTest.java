package dev.arenakit.layout.text;

import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class CHeaderParseTest {
    /// The output of a preprocessor.
    private static final String HEADER = """
            # 1 "trade.c"
            # 1 "/usr/include/trade.h" 1 3 4
            typedef unsigned char __u8; typedef __signed__ long long s64; typedef __u8 six[6];
            extern int printf (const char *__restrict, ...) __attribute__ ((__format__ (__printf__, 1, 2)));
            static __inline int twice(int x) { struct local { int x; } y = {x}; return y.x * 2; }
            extern const char *const names[]; typedef int (*callback)(void *, struct trade *); __asm__("nop");
            enum side { BUY, SELL = 1 << 2 | 0x3, OTHER, FIRST = BUY, LAST = (int) sizeof(struct { char c; long l; }) - 1,
                LOW = ~0, TERNARY = LAST > 8 ? 'x' : 2, };
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
        assertThat(LayoutText.describe(struct(header, "struct trade"))).isEqualTo("""
                struct trade: size 176, alignment 16

                offset  size  type                 name
                     0     8  union                anon_union1
                     0     8    int64_t            id
                     0     8    struct             anon_struct1
                     0     4      uint32_t         low
                     4     4      uint32_t         high
                     8     4  enum side            side
                    12     1  uint32_t : 1         open
                    12     1  uint32_t : 4 @bit(1) level
                """);
    }

    private static StructType struct(CHeaderTypes header, String name) {
        return (StructType) header.find(name).orElseThrow();
    }

    @Test
    void parse_constants_areComputedAsInC() {
        CHeaderTypes header = CHeader.parse(HEADER);
        assertThat(header.constants()).containsExactlyEntriesOf(constants("BUY=0 SELL=7 OTHER=8 FIRST=0 LAST=15 LOW=-1 "
                + "TERNARY=120"));
        assertThat(((EnumType) header.find("side").orElseThrow()).constants()).extracting(EnumType.Constant::name)
                .containsExactly("BUY", "SELL", "OTHER", "LAST", "LOW", "TERNARY");
    }

    private static Map<String, Long> constants(String text) {
        java.util.LinkedHashMap<String, Long> constants = new java.util.LinkedHashMap<>();
        for (String constant : text.split(" ")) {
            constants.put(constant.split("=")[0], Long.parseLong(constant.split("=")[1]));
        }
        return constants;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            value = {"1 + 2 * 3 | 7", "(1 + 2) * 3 | 9", "7 - 2 - 1 | 4", "-7 / 2 | -3", "-7 % 3 | -1",
                    "1 << 4 >> 2 | 4", "6 & 3 | 2", "4 | 1 | 5"})
    void parse_expression_hasTheValueOfC(String expression, long value) {
        assertThat(CHeader.parse("enum { X = " + expression + " };").constants()).containsEntry("X", value);
    }
}
