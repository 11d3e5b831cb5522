package dev.arenakit.tool.where;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.dump.LayoutDump;
import dev.arenakit.dump.StructVisitor;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.RefType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.teststructs.RandomStruct;
import dev.arenakit.tool.where.WhereOperand.Step;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
    private static final long LARGEST = 200;
    /// Many bytes have these values.
    private static final byte[] USUAL = {0, 0, 0, 1, 2, 'a', 'b', ' ', ' ', (byte) 0x80, (byte) 0xff, (byte) 0xc3, 127};

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
            RandomStruct structs = new RandomStruct(seed);
            StructType type = structs.type(2);
            while (type.byteSize() == 0 || type.byteSize() > LARGEST) {
                type = structs.type(2);
            }
            byte[] bytes = bytes(type.byteSize() * STRUCTS, random);
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

    private static byte[] bytes(long byteSize, SplittableRandom random) {
        byte[] bytes = new byte[(int) byteSize];
        random.nextBytes(bytes);
        for (int i = 0; i < bytes.length; i++) {
            if (random.nextInt(4) > 0) {
                bytes[i] = USUAL[random.nextInt(USUAL.length)];
            }
        }
        return bytes;
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
                        : path + " " + one(ORDERS) + " " + one(List.of("C0", "C1"));
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
                        .compareTo(BigInteger.valueOf(word.word().equals("C1") ? 7 : 0)));
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

    /// The values of the fields of a struct by their paths, as [LayoutDump] decodes them. If a union has a discriminator
    /// that selects no member, its members are left out.
    static final class DecodedStruct implements StructVisitor {
        /// An enum or a `boolean`.
        record Constant(EnumType type, BigInteger value) {}

        private final Map<String, Object> values = new LinkedHashMap<>();
        private final Deque<String> path = new ArrayDeque<>(List.of(""));
        private final Deque<MemoryType> groups = new ArrayDeque<>();
        private String at = "";

        private DecodedStruct() {}

        static Map<String, Object> decode(StructType type, MemorySegment bytes) {
            DecodedStruct decoded = new DecodedStruct();
            try {
                LayoutDump.of(type).withEveryElement().visit(bytes, decoded);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return decoded.values;
        }

        @Override
        public void beginStruct(StructType type, long index, long byteOffset, MemorySegment bytes) {
            // There is only one struct.
        }

        @Override
        public void endStruct() {
            // There is only one struct.
        }

        @Override
        public void zeros(StructType type, long first, long count, long byteOffset) {
            throw new AssertionError("Not requested");
        }

        @Override
        public void beginGroup(MemoryType type, long byteOffset) {
            path.push(at + ".");
            groups.push(type);
        }

        @Override
        public void endGroup() {
            String prefix = path.pop();
            // A union shows its valid member only, or all members if the valid one is unknown. The discriminator of a
            // union is before it, in the same struct.
            if (groups.pop() instanceof UnionType union && union.discriminator().isPresent()) {
                UnionType.Discriminator found = union.discriminator().get();
                BigInteger number = (BigInteger) values.get(path.element() + found.member());
                if (found.validMember(Objects.requireNonNull(number).longValue()) < 0) {
                    values.keySet().removeIf(key -> key.startsWith(prefix));
                }
            }
        }

        @Override
        public void member(Member member, long byteOffset) {
            at = path.element() + member.name();
        }

        @Override
        public void beginArray(ArrayType type, long byteOffset) {
            path.push(at);
        }

        @Override
        public void element(long index, long byteOffset) {
            at = path.element() + "[" + index + "]";
        }

        @Override
        public void endArray(long leftOut, boolean cutOff) {
            path.pop();
        }

        @Override
        public void integer(long value) {
            values.put(at, BigInteger.valueOf(value));
        }

        @Override
        public void unsigned(long value) {
            values.put(at, new BigInteger(Long.toUnsignedString(value)));
        }

        @Override
        public void floating(double value) {
            values.put(at, value);
        }

        @Override
        public void floating(float value) {
            values.put(at, value);
        }

        @Override
        public void character(char value) {
            values.put(at, value);
        }

        @Override
        public void bool(boolean value, int stored) {
            values.put(at, value);
        }

        @Override
        public void constant(EnumType type, String name, long value) {
            values.put(at, new Constant(type, BigInteger.valueOf(value)));
        }

        @Override
        public void address(long address) {
            unsigned(address);
        }

        @Override
        public void reference(RefType type, long stored, String target) {
            unsigned(stored);
        }

        @Override
        public void text(Text text) {
            values.put(at, text.string());
        }

        @Override
        public void cutOff() {
            throw new AssertionError("All bytes are there");
        }
    }
}
