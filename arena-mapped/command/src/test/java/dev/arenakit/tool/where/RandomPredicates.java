package dev.arenakit.tool.where;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/// Random predicates on the fields of decoded structs. The constants are values of the fields, or close to such values.
final class RandomPredicates {
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
