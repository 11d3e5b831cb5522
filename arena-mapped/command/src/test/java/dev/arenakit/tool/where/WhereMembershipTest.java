package dev.arenakit.tool.where;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnsignedType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class WhereMembershipTest {
    private static final StructType TYPE = LayoutText.parse("""
            #pragma layout 2
            enum Side : int8_t { BUY = 0, SELL = 1, UNKNOWN = @otherwise, };
            union Trigger @switch(kind) { int32_t limit @case(1); float stop @case(2); };
            struct Item {
                int64_t id;
                uint64_t size;
                int16_t codes[4] @count(kind);
                uint8_t kind;
                enum Side side;
                uint16_t @char letter;
                union Trigger trigger;
                double price;
            };
            """);

    private static WhereCondition bind(String predicate) throws WhereException {
        return WhereBinder.bind(WhereParser.parse(predicate), TYPE);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            id == 1 || id == 2 || 3 == id || id == 3.0; true; 1, 2, 3, 3
            id == 2 || (id == 0x10 || id == -1); true; 2, 16, -1
            size == 18446744073709551615 || size == 5; true; -1, 5
            index == 4 || index == 5; true; 4, 5
            side == SELL || side == 7; true; 1, 7
            side != UNKNOWN || side == 7; true; 0, 1, 7
            letter == 'a' || letter == 98; true; 97, 98
            codes[1] == 1 || codes[1] == 2; true; 1, 2
            codes[*] == 1 || codes[*] == 2; true; 1, 2
            trigger.limit == 1 || trigger.limit == 2; true; 1, 2
            id != 1 && id != 2; false; 1, 2
            trigger.limit != 1 && trigger.limit != 2; false; 1, 2
            side == UNKNOWN && side != 7; false; 0, 1, 7
            """)
    void bind_comparisonsOfOneInteger_areOneCondition(String predicate, boolean isMember, String values)
            throws WhereException {
        assertThat(bind(predicate)).isInstanceOfSatisfying(WhereMembership.class, joined -> {
            assertThat(joined.isMember()).isEqualTo(isMember);
            assertThat(joined.values()).isEqualTo(List.of(values.split(", ")).stream().map(Long::valueOf).toList());
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"id == 1 || size == 1", "id == 1 && id == 2", "id != 1 || id != 2", "id == 1 || id != 2",
            "id == 1 || id < 2", "codes[0] == 1 || codes[1] == 1", "codes[*] != 1 && codes[*] != 2",
            "price == 1 || price == 2", "id == 1 || id == 2.5"})
    void bind_otherComparisons_areSeveralConditions(String predicate) throws WhereException {
        assertThat(bind(predicate)).isNotInstanceOf(WhereMembership.class);
    }

    @Test
    void join_amongOtherTerms_isAtThePlaceOfTheFirst() throws WhereException {
        List<WhereCondition> terms = new ArrayList<>();
        for (String term : List.of("price < 1", "id == 1", "size == 2", "id == 3", "size == 4", "id < 0")) {
            terms.add(bind(term));
        }
        List<WhereCondition> joined = WhereMembership.join(terms, true);
        assertThat(joined).hasSize(4);
        assertThat(joined.getFirst()).isSameAs(terms.getFirst());
        assertThat(((WhereMembership) joined.get(1)).values()).containsExactly(1L, 3L);
        assertThat(((WhereMembership) joined.get(2)).values()).containsExactly(2L, 4L);
        assertThat(joined.getLast()).isSameAs(terms.getLast());
        assertThat(WhereMembership.join(terms, false)).isEqualTo(terms);
    }

    @Test
    void test_joinedTerms_giveTheResultOfTheirTerms() throws WhereException {
        List<String> fields = List.of("id", "size", "index", "codes[0]", "codes[3]", "codes[*]", "kind", "side",
                "letter", "trigger.limit");
        SplittableRandom random = new SplittableRandom(7);
        byte[] bytes = new byte[(int) TYPE.byteSize()];
        int trueResults = 0;
        for (int i = 0; i < 4_000; i++) {
            boolean isOr = random.nextBoolean();
            List<String> terms = IntStream.range(0, 2 + random.nextInt(12))
                    .mapToObj(_ -> fields.get(random.nextInt(3) == 0 ? random.nextInt(fields.size()) : 5) + (isOr
                            ? " == "
                            : " != ") + constant(random))
                    .toList();
            for (int b = 0; b < bytes.length; b++) {
                bytes[b] = (byte) (random.nextInt(3) == 0 ? random.nextInt(-2, 4) : random.nextBoolean() ? 0 : -1);
            }
            MemorySegment struct = MemorySegment.ofArray(bytes);
            long index = random.nextInt(4);
            boolean expected = !isOr;
            for (String term : terms) {
                boolean one = bind(term).test(struct, 0, index);
                expected = isOr ? expected || one : expected && one;
            }
            String predicate = terms.stream().collect(Collectors.joining(isOr ? " || " : " && "));
            assertThat(bind(predicate).test(struct, 0, index)).as(predicate).isEqualTo(expected);
            assertThat(bind("!(" + predicate + ")").test(struct, 0, index)).as(predicate).isEqualTo(!expected);
            trueResults += expected ? 1 : 0;
        }
        assertThat(trueResults).isBetween(400, 3_600);
    }

    private static String constant(SplittableRandom random) {
        return switch (random.nextInt(8)) {
            case 0 -> "18446744073709551615";
            case 1 -> "9223372036854775808";
            case 2 -> "65535";
            default -> Integer.toString(random.nextInt(-2, 4));
        };
    }

    @Test
    void test_enumWithoutConstants_hasOnlyOtherValues() throws WhereException {
        EnumType others = new EnumType("Others", UnsignedType.of(1), List.of(), Optional.of("OTHER"));
        StructType type = StructType.builder("S").add("other", others).build();
        MemorySegment struct = MemorySegment.ofArray(new byte[]{5});
        assertThat(Where.parse("other == OTHER").on(type).test(0, struct)).isTrue();
        assertThat(Where.parse("other != OTHER").on(type).test(0, struct)).isFalse();
    }
}
