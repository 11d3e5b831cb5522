package dev.arenakit.tool.where;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.MemorySegment;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;

/// Predicates with thousands of terms.
class WhereTermsTest {
    private static final StructType TYPE = LayoutText.parse("""
            #pragma layout 2
            struct Item { int64_t id; uint64_t size; int32_t codes[4]; char text[32]; };
            """);

    private static MemorySegment item(long id, long size, int... codes) {
        MemorySegment item = MemorySegment.ofArray(new byte[(int) TYPE.byteSize()]);
        item.set(JAVA_LONG_UNALIGNED, 0, id);
        item.set(JAVA_LONG_UNALIGNED, 8, size);
        for (int i = 0; i < codes.length; i++) {
            item.set(JAVA_INT_UNALIGNED, 16 + i * 4, codes[i]);
        }
        return item;
    }

    private static String terms(int count, String separator, String term) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(i -> term.replace("#", Integer.toString(i)))
                .collect(Collectors.joining(separator));
    }

    private static boolean test(String predicate, MemorySegment item) throws WhereException {
        return Where.parse(predicate).on(TYPE).test(item);
    }

    @Test
    void test_oneOfManyTerms_decides() throws WhereException {
        String any = terms(3000, " || ", "id < -# && size == #");
        assertThat(test(any, item(-4000, 2999))).isTrue();
        assertThat(test(any, item(-4000, 1))).isTrue();
        assertThat(test(any, item(-4000, 3001))).isFalse();
        assertThat(test("!(" + any + ")", item(-4000, 3001))).isTrue();
        String all = terms(3000, " && ", "(id < -# || size != #)");
        assertThat(test(all, item(1, 3001))).isTrue();
        assertThat(test(all, item(1, 2999))).isFalse();
        assertThat(test(all, item(-4000, 2999))).isTrue();
        assertThat(test(terms(30, " || ", "(" + terms(100, " && ", "size > #") + " && id == #)"), item(30, 101)))
                .isTrue();
    }

    @Test
    void test_manyComparisonsOfOneInteger_includeTheLast() throws WhereException {
        String any = terms(3000, " || ", "id == #") + " || size == 18446744073709551615 || "
                + terms(10, " || ", "size == #");
        assertThat(test(any, item(3000, 0))).isTrue();
        assertThat(test(any, item(0, -1))).isTrue();
        assertThat(test(any, item(3001, 10))).isTrue();
        assertThat(test(any, item(3001, 11))).isFalse();
        String none = terms(3000, " && ", "id != #") + " && size > 4";
        assertThat(test(none, item(3001, 5))).isTrue();
        assertThat(test(none, item(7, 5))).isFalse();
        assertThat(test(none, item(3001, 4))).isFalse();
    }

    @Test
    void test_manyComparisonsOfElements_areEachTrueForAnyElement() throws WhereException {
        String others = terms(20, " && ", "codes[*] != #");
        assertThat(test(others, item(1, 1, 1, 2, 3, 4))).isTrue();
        assertThat(test(others, item(1, 1, 7, 7, 7, 7))).isFalse();
        String any = terms(20, " || ", "codes[*] == #");
        assertThat(test(any, item(1, 1, 77, 77, 77, 20))).isTrue();
        assertThat(test(any, item(1, 1, 77, 77, 77, 21))).isFalse();
    }
}
