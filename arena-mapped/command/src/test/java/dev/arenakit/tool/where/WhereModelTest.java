package dev.arenakit.tool.where;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.tool.where.WhereOperand.Step;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Compares the search with [WhereModel] for random types, bytes and predicates.
class WhereModelTest {
    private static final int STRUCTS = 12;

    @Test
    void search_randomPredicates_findsTheStructsOfTheModel() throws Exception {
        run(1500);
    }

    /// This test takes some minutes.
    @Test
    @Tag("slow")
    void search_aHundredThousandRandomPredicates_findsTheStructsOfTheModel() throws Exception {
        run(100_000);
    }

    private static void run(int seeds) throws Exception {
        long found = 0;
        for (int seed = 0; seed < seeds; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            RandomStructs structs = new RandomStructs(random);
            StructType type = structs.struct("S", 2);
            byte[] bytes = structs.bytes(type.byteSize() * STRUCTS);
            List<Map<String, Object>> decoded = new ArrayList<>();
            for (int i = 0; i < STRUCTS; i++) {
                decoded.add(DecodedStruct.decode(type, struct(type, bytes, i)));
            }
            String predicate = new RandomPredicates(random, decoded).predicate(3);
            List<Long> expected = check(seed, type, bytes, decoded, predicate, random);
            found += expected.size();
        }
        assertThat(found).as("matches of %d", (long) seeds * STRUCTS).isBetween(seeds * 3L, seeds * (STRUCTS - 3L));
    }

    private static List<Long> check(int seed, StructType type, byte[] bytes, List<Map<String, Object>> decoded,
            String predicate, SplittableRandom random) throws Exception {
        List<Long> expected = model(predicate, type, bytes, decoded);
        List<Long> actual = new ArrayList<>();
        Where.parse(predicate)
                .on(type)
                .search(pieces(bytes, random), 0, Long.MAX_VALUE, (index, count, _) -> add(actual, index, count));
        assertThat(actual).as("seed=%d: %s%n%s", seed, predicate, LayoutText.print(type)).isEqualTo(expected);
        return expected;
    }

    private static List<Long> model(String predicate, StructType type, byte[] bytes, List<Map<String, Object>> decoded)
            throws WhereException {
        List<Long> found = new ArrayList<>();
        for (int i = 0; i < STRUCTS; i++) {
            boolean isZero = Stream.of(struct(type, bytes, i))
                    .allMatch(struct -> struct.mismatch(
                            MemorySegment.ofArray(new byte[(int) type.byteSize()])) < 0);
            if (!isZero && new WhereModel(decoded.get(i)).test(predicate)) {
                found.add((long) i);
            }
        }
        return found;
    }

    private static boolean add(List<Long> found, long first, long count) {
        LongStream.range(first, first + count).forEach(found::add);
        return true;
    }

    private static MemorySegment struct(StructType type, byte[] bytes, long index) {
        return MemorySegment.ofArray(bytes).asSlice(index * type.byteSize(), type.byteSize());
    }

    /// A source that returns the bytes as data and zeros of random sizes.
    private static ExtentSource pieces(byte[] bytes, SplittableRandom random) {
        return (sink, skip, limit) -> {
            for (int at = 0; at < bytes.length;) {
                int size = Math.min(bytes.length - at, 1 + random.nextInt(100));
                pass(sink, MemorySegment.ofArray(bytes).asSlice(at, size));
                at += size;
            }
            return skip;
        };
    }

    private static void pass(ExtentSource.Sink sink, MemorySegment piece) throws IOException {
        if (piece.mismatch(MemorySegment.ofArray(new byte[(int) piece.byteSize()])) < 0) {
            sink.zeros(piece.byteSize());
        } else {
            sink.data(piece);
        }
    }

    /// Random predicates on the fields of decoded structs. The constants are values of the fields, or close to such values.
    static final class RandomPredicates {
        private static final List<String> ORDERS = List.of("==", "!=", "<", "<=", ">", ">=");
        private static final List<String> FRACTIONS = List.of("255.5", "-0.5", "0.1");
        private static final List<String> NUMBERS = List.of("0", "1", "-1", "0x80", "1e3",
                "9223372036854775808", "18446744073709551615", "-9223372036854775809", "1e999", "-1e999");
        private static final List<String> PATTERNS = List.of("a", "^ab?$", "b+", "^$", "\\\\x01", "[^a]", "^.?$");

        private final RandomGenerator random;
        private final List<Map.Entry<String, Object>> fields = new ArrayList<>();

        /// @param structs decoded structs of one type
        RandomPredicates(RandomGenerator random, List<Map<String, Object>> structs) {
            this.random = random;
            structs.forEach(struct -> fields.addAll(struct.entrySet()));
        }

        String predicate(int depth) {
            return switch (depth == 0 ? 0 : random.nextInt(6)) {
                case 1 -> predicate(depth - 1) + " && " + predicate(depth - 1);
                case 2 -> predicate(depth - 1) + " || " + predicate(depth - 1);
                case 3 -> "!(" + predicate(depth - 1) + ")";
                case 4 -> "(" + predicate(depth - 1) + ")";
                default -> comparison();
            };
        }

        private String comparison() {
            Map.Entry<String, Object> field = one(fields);
            Object other = one(fields).getValue();
            Object constant = other.getClass() == field.getValue().getClass() ? other : field.getValue();
            String path = path(field.getKey());
            return switch (field.getValue()) {
                case Boolean _ -> (random.nextBoolean() ? "!" : "") + path;
                case String _ when random.nextInt(3) == 0 -> path + (random.nextBoolean() ? " ~ '" : " !~ '")
                        + one(PATTERNS) + "'";
                case String _ -> path + " " + one(ORDERS) + " " + quoted((String) constant);
                case DecodedStruct.Constant value -> random.nextInt(3) == 0
                        ? path + " " + one(ORDERS) + " " + one(List.of("0", "1", "-1", value.value().toString()))
                        : path + " " + one(ORDERS) + " " + one(List.of("ZERO", "ONE"));
                case Double _,Float _ when random.nextInt(5) == 0 -> path + " " + one(ORDERS) + " " + one(FRACTIONS);
                default -> path + " " + one(ORDERS) + " " + (random.nextInt(3) == 0 ? one(NUMBERS) : number(constant));
            };
        }

        private String path(String path) {
            return random.nextInt(3) == 0 ? path.replaceAll("\\[\\d+\\]", "[*]") : path;
        }

        private static String number(Object value) {
            return switch (value) {
                case Character character -> Integer.toString(character);
                case BigInteger integer -> integer.toString();
                case Float number -> floating(number);
                case Double number -> floating(number);
                default -> "1";
            };
        }

        private static String floating(double number) {
            return Double.isFinite(number)
                    ? Double.toString(number)
                    : Double.isNaN(number) ? "1" : (number < 0 ? "-" : "") + "1e999";
        }

        private static String quoted(String text) {
            return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
        }

        private <T> T one(List<T> list) {
            return list.get(random.nextInt(list.size()));
        }
    }

    /// Evaluates predicates on decoded values. Speed does not matter.
    static final class WhereModel {
        private final Map<String, Object> values;

        WhereModel(Map<String, Object> values) {
            this.values = values;
        }

        boolean test(String predicate) throws WhereException {
            return WhereParser
                    .parse(predicate,
                            (field, operator, operand) -> (_, _) -> fields(field).stream()
                                    .anyMatch(value -> compare(value, operator, operand)))
                    .test(MemorySegment.NULL, 0);
        }

        /// The values of a field. A field in an array has a value for each element.
        private List<Object> fields(List<Step> path) {
            StringBuilder pattern = new StringBuilder();
            for (Step step : path) {
                if (!step.name().isEmpty()) {
                    pattern.append(pattern.isEmpty() ? "" : "\\.").append(Pattern.quote(step.name()));
                } else {
                    pattern.append("\\[").append(step.first() == step.last() ? step.first() : "\\d+").append("\\]");
                }
            }
            return values.entrySet()
                    .stream()
                    .filter(entry -> entry.getKey().matches(pattern.toString()))
                    .map(Map.Entry::getValue)
                    .toList();
        }

        private static boolean compare(Object value, WhereOperator operator, WhereOperand operand) {
            return switch (operand) {
                case WhereOperand.Quoted quoted when operator == WhereOperator.MATCHES ->
                    Pattern.compile(quoted.escaped()).matcher((String) value).find();
                case WhereOperand.Quoted quoted when operator == WhereOperator.MATCHES_NOT ->
                    !Pattern.compile(quoted.escaped()).matcher((String) value).find();
                case WhereOperand.Quoted quoted -> operator.accepts(((String) value).compareTo(text(quoted)));
                case WhereOperand.Numeral number -> compareNumber(value, operator, number.value());
                case WhereOperand.Word _ when operator == WhereOperator.IS_TRUE -> value.equals(true);
                case WhereOperand.Word word -> operator.accepts(((DecodedStruct.Constant) value).value()
                        .compareTo(word.word().equals("ONE") ? BigInteger.ONE : BigInteger.ZERO));
            };
        }

        private static boolean compareNumber(Object value, WhereOperator operator, BigDecimal number) {
            if (value instanceof Float) {
                return compareFloating(value, operator, number.floatValue());
            }
            return value instanceof Double
                    ? compareFloating(value, operator, number.doubleValue())
                    : operator.accepts(new BigDecimal(integer(value)).compareTo(number));
        }

        private static boolean compareFloating(Object value, WhereOperator operator, double other) {
            double number = toDouble(value);
            return switch (operator) {
                case EQUAL -> number == other;
                case NOT_EQUAL -> number != other;
                case LESS -> number < other;
                case LESS_OR_EQUAL -> number <= other;
                case GREATER -> number > other;
                case GREATER_OR_EQUAL -> number >= other;
                case MATCHES, MATCHES_NOT, IS_TRUE -> throw new AssertionError();
            };
        }

        private static boolean isFloating(Object value) {
            return value instanceof Float || value instanceof Double;
        }

        private static double toDouble(Object value) {
            return isFloating(value) ? ((Number) value).doubleValue() : integer(value).doubleValue();
        }

        private static BigInteger integer(Object value) {
            return switch (value) {
                case BigInteger integer -> integer;
                case Character character -> BigInteger.valueOf(character);
                case DecodedStruct.Constant constant -> constant.value();
                default -> throw new AssertionError(value);
            };
        }

        private static String text(WhereOperand.Quoted quoted) {
            try {
                return WhereText.unescape(quoted);
            } catch (WhereException e) {
                throw new AssertionError(e);
            }
        }
    }
}
