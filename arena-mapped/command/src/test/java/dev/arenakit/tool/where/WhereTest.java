package dev.arenakit.tool.where;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class WhereTest {
    private static final StructType ORDER = LayoutText.parse("""
            #pragma layout 2
            enum Side : int8_t { BUY = 0, SELL = 1, UNKNOWN = @otherwise, };
            struct Level { double price; uint64_t size; };
            union Trigger @switch(kind) { int32_t limit @case(1); float stop @case(2); };
            struct Order {
                int64_t id;
                int32_t quantity;
                float ratio;
                char symbol[8];
                struct Level levels[3] @count(depth);
                uint8_t depth;
                enum Side side;
                bool open;
                uint8_t kind;
                union Trigger trigger;
                void *next;
            };
            """);
    private static final StructType TYPE = LayoutText.parse("""
            #pragma layout 2
            struct Item { int64_t id; uint64_t size; int32_t codes[4]; char text[32]; };
            """);

    /// An order with values in its fields.
    private static MemorySegment order() {
        MemorySegment order = MemorySegment.ofArray(new byte[(int) ORDER.byteSize()]);
        order.set(JAVA_LONG_UNALIGNED, at("id"), -7);
        order.set(JAVA_INT_UNALIGNED, at("quantity"), 100);
        order.set(JAVA_FLOAT_UNALIGNED, at("ratio"), 0.1f);
        order.asSlice(at("symbol"), 4).copyFrom(MemorySegment.ofArray("ARNA".getBytes(UTF_8)));
        long levels = at("levels");
        order.set(JAVA_DOUBLE_UNALIGNED, levels, 9.5);
        order.set(JAVA_LONG_UNALIGNED, levels + 8, -1);
        order.set(JAVA_DOUBLE_UNALIGNED, levels + 16, Double.NaN);
        order.set(JAVA_DOUBLE_UNALIGNED, levels + 32, 77);
        order.set(JAVA_BYTE, at("depth"), (byte) 2);
        order.set(JAVA_BYTE, at("side"), (byte) 1);
        order.set(JAVA_BYTE, at("open"), (byte) 2);
        order.set(JAVA_BYTE, at("kind"), (byte) 1);
        order.set(JAVA_INT_UNALIGNED, at("trigger"), 5);
        order.set(JAVA_LONG_UNALIGNED, at("next"), 0xffff_8000_0000_1000L);
        return order;
    }

    private static long at(String member) {
        return ORDER.member(member).orElseThrow().byteOffset();
    }

    private static boolean test(String predicate) throws WhereException {
        return Where.parse(predicate).on(ORDER).test(order());
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
            id == -7; true
            id < 0 && quantity >= 100; true
            id < 0 && quantity > 100; false
            id >= 0 || quantity == 0x64; true
            !!(id == -7); true
            quantity < 99999999999999999999999; true
            quantity == 100.0; true
            ratio == 0.1; true
            ratio > 0.1; false
            symbol == "ARNA"; true
            symbol == "ARN"; false
            symbol == "ARNAARNAX"; false
            symbol != "AR\\tNA\\\\"; true
            symbol > "AR" && symbol < "AS"; true
            symbol ~ "^A.*A$"; true
            symbol !~ "rn"; true
            symbol ~ "(?i)rn"; true
            levels[0].size == 18446744073709551615; true
            levels[0].size > 0x7fffffffffffffff; true
            levels[0].size == -1; false
            levels[1].price != 1; true
            !(levels[1].price < 0) && !(levels[1].price >= 0); true
            quantity < 1e999; true
            ratio > -1e999; true
            levels[2].price != 77; false
            !(levels[2].price == 77); true
            levels[*].price == 77; false
            levels[*].size == 0 && levels[*].size != 0; true
            side == SELL; true
            side == "SELL"; true
            side >= 1; true
            open; true
            !open; false
            trigger.limit == 5; true
            trigger.stop != 0; false
            next == 0xffff800000001000; true
            index % 2; error
            """)
    void test_predicate_isTrueForTheOrder(String predicate, String expected) throws WhereException {
        if (expected.equals("error")) {
            assertThatExceptionOfType(WhereException.class).isThrownBy(() -> test(predicate));
        } else {
            assertThat(test(predicate)).isEqualTo(Boolean.parseBoolean(expected));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '@', quoteCharacter = '`', textBlock = """
            quantty < 0; column 1: no field 'quantty' (did you mean quantity?); Order has id, quantity, ratio
            id == 1 && Symbol == "A"; column 12: no field 'Symbol' (did you mean symbol?)
            levels[0].pirce == 1; column 11: no field 'pirce' (did you mean price?); 'levels[0]' has price, size
            levels.price == 1; column 8: 'levels' is an array: use levels[0].price for an element, or levels[*].price for any
            levels == 1; column 1: the field is an array: add [0] for an element, or [*] for any
            levels[3].price == 1; column 8: 'levels' has 3 elements, from 0: there is no 3
            levels[0] == 1; column 1: the field has fields: add a dot and the name of one
            trigger == 1; column 1: the field has fields
            id[0] == 1; column 4: 'id' is no array
            id.x == 1; column 4: 'id' has no fields
            id == quantity; column 7: expected a number; arena sql also compares two fields
            id == "7"; column 7: expected a number
            id ~ "7"; column 6: ~ needs a field that is a text
            id; column 1: 'id' is no boolean: add a comparison, such as == 1
            symbol == 5; column 11: expected a text in quotes
            symbol == ARNA; column 11: expected a text in quotes
            symbol ~ "("; column 10: no regular expression: Unclosed group near index 1
            symbol == "\\x"; column 11: unknown escape
            symbol == "A; column 11: the text has no end
            symbol == id; column 11: expected a text in quotes
            side == SEL; column 9: no constant 'SEL' (did you mean SELL?); Side has BUY, SELL
            side == UNKNOWN; column 9: no constant 'UNKNOWN'; Side has BUY, SELL
            open == 1; column 9: 'open' is a boolean: use it alone, or with ! before it
            quantity == 99.5; column 13: expected an integer: the field has only integers
            id == nan; column 7: expected a number; arena sql also compares two fields
            id = 5; column 4: unexpected character '=': there are == != < <= > >= ~ !~ && || ! ( )
            id == 5 & id == 6; column 9: unexpected character '&': there are == !=
            id == 5 id == 6; column 9: expected &&, || or the end, found 'id'
            (id == 5; column 9: expected ), found the end
            id ==; column 6: expected a number, a text or a constant, found the end
            id == 12x; column 7: no number: '12x'
            id == 0xg; column 7: no number: '0x'
            id == 5 # 6; column 9: unexpected character '#'
            id == 1e99999; column 13: expected &&, || or the end, found '9'
            1 == id; column 1: expected a field, found '1'
            "A" ~ symbol; column 1: expected a field, found '"A"'
            ; column 1: expected a field, found the end
            """)
    void on_wrongPredicate_namesThePositionAndWhatThereIs(String line) {
        int separator = line.indexOf("; column ");
        String predicate = separator < 0 ? "" : line.substring(0, separator);
        assertThatThrownBy(() -> test(predicate)).isInstanceOf(WhereException.class)
                .hasMessageStartingWith(line.substring(separator < 0 ? 2 : separator + 2));
    }

    @Test
    void parse_deeplyNested_isRefused() {
        assertThatThrownBy(() -> Where.parse("(".repeat(100_000))).hasMessageContaining("more than 200 levels");
        assertThatThrownBy(() -> Where.parse("!".repeat(100_000))).hasMessageContaining("more than 200 levels");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            1001 | column 7: a number of more than 1000 characters: '1111111111111111111111111111111111111111...'
            100000 | column 7: a number of more than 1000 characters: '1111111111111111111111111111111111111111...'
            """)
    void parse_longNumber_isRefusedWithoutItsDigits(int digits, String message) {
        assertThatThrownBy(() -> Where.parse("id == " + "1".repeat(digits))).hasMessage(message);
        assertThatThrownBy(() -> Where.parse("id == " + "1".repeat(digits) + " && id == 2")).hasMessage(message);
    }

    @Test
    void parse_longTokens_areShortenedInMessages() throws WhereException {
        assertThatThrownBy(() -> Where.parse("id == " + "1".repeat(999) + "x"))
                .hasMessage("column 7: no number: '" + "1".repeat(40) + "...'");
        assertThatThrownBy(() -> Where.parse("id == 1 " + "x".repeat(999)))
                .hasMessage("column 9: expected &&, || or the end, found '" + "x".repeat(40) + "...'");
        assertThat(test("quantity < " + "1".repeat(1000))).isTrue();
    }

    @Test
    void test_structThatIsZero_satisfiesNoPredicate() throws WhereException {
        MemorySegment zero = MemorySegment.ofArray(new byte[(int) ORDER.byteSize()]);
        assertThat(Where.parse("quantity == 0").on(ORDER).test(zero)).isFalse();
        assertThat(Where.parse("!(quantity == 1)").on(ORDER).test(zero)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"1,true,false", "2,false,true", "9,false,true"})
    void test_memberOfAUnion_isComparedIfItIsValid(int kind, boolean isOne, boolean isOther) throws WhereException {
        StructType type = LayoutText.parse("""
                #pragma layout 2
                struct S { int32_t kind; union @switch(kind) { int32_t one @case(1); int32_t other @otherwise; } u; };
                """);
        MemorySegment struct = MemorySegment.ofArray(new int[]{kind, 5});
        assertThat(Where.parse("u.one == 5").on(type).test(struct)).isEqualTo(isOne);
        assertThat(Where.parse("u.other == 5").on(type).test(struct)).isEqualTo(isOther);
    }

    @Test
    void on_fieldNamedLikeAWord_isTheField() throws WhereException {
        StructType type = LayoutText.parse("#pragma layout 2\nstruct S { int32_t index; int32_t infinity; };");
        MemorySegment struct = MemorySegment.ofArray(new int[]{5, 6});
        assertThat(Where.parse("index == 5 && infinity == 6").on(type).test(struct)).isTrue();
    }

    @Test
    void search_firstAndCount_areThoseOfTheStructs() throws Exception {
        StructType type = LayoutText.parse("#pragma layout 2\nstruct S { int8_t x; int8_t y; };");
        byte[] bytes = {1, 0, 2, 0, 3, 0, 4, 0, 5};
        List<String> found = new ArrayList<>();
        ExtentSource source = ExtentSource.of(MemorySegment.ofArray(bytes));
        WhereFilter.Consumer all = (index, count, structs) -> found.add(index + "+" + count + ":" + structs.byteSize());
        assertThat(Where.parse("x > 0").on(type).search(source, 1, 10, all)).isTrue();
        assertThat(found).containsExactly("1+3:6");
        found.clear();
        assertThat(Where.parse("x != 2").on(type).search(source, 0, 4, all)).isTrue();
        assertThat(found).containsExactly("0+1:2", "2+2:4");
        found.clear();
        assertThat(Where.parse("x != 2").on(type).search(source, 0, 4, (index, count, structs) -> {
            all.accept(index, count, structs);
            return false;
        })).isFalse();
        assertThat(found).containsExactly("0+1:2");
        found.clear();
        assertThat(Where.parse("x == 3").on(type).search(source, 1, 4, all)).isTrue();
        assertThat(found).containsExactly("2+1:2");
    }

    @Test
    void test_expressionOnALongText_hasEnoughSteps() throws WhereException {
        StructType type = LayoutText.parse("#pragma layout 2\nstruct S { char text[5000000]; };");
        byte[] text = "ab".repeat(2_500_000).getBytes(UTF_8);
        text[text.length - 1] = 'c';
        assertThat(Where.parse("text ~ 'b+c$|a[c-e]$'").on(type).test(MemorySegment.ofArray(text))).isTrue();
    }

    @Test
    void test_expressionThatExhaustsTheStack_failsWithAReason() throws WhereException {
        StructType type = LayoutText.parse("#pragma layout 2\nstruct S { char text[1000000]; };");
        byte[] text = "ab".repeat(500_000).getBytes(UTF_8);
        WhereFilter filter = Where.parse("text ~ '^(a|b)*$'").on(type);
        assertThatThrownBy(() -> filter.test(MemorySegment.ofArray(text)))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("needs too much stack");
    }

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
}
