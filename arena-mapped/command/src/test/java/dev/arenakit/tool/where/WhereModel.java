package dev.arenakit.tool.where;

import dev.arenakit.tool.where.WhereOperand.Step;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Evaluates predicates on decoded values. Speed does not matter.
final class WhereModel {
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
