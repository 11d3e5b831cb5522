package dev.arenakit.tool.where;

import dev.arenakit.tool.where.WhereExpression.Operand;
import dev.arenakit.tool.where.WhereExpression.Path;
import dev.arenakit.tool.where.WhereExpression.Step;
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

    boolean test(WhereExpression expression) {
        return switch (expression) {
            case WhereExpression.Or or -> or.terms().stream().anyMatch(this::test);
            case WhereExpression.And and -> and.terms().stream().allMatch(this::test);
            case WhereExpression.Not not -> !test(not.term());
            case WhereExpression.Truth truth -> fields((Path) truth.operand()).contains(true);
            case WhereExpression.Comparison comparison -> fields((Path) comparison.left()).stream()
                    .anyMatch(value -> compare(value, comparison.operator(), comparison.right()));
        };
    }

    /// The values of a field. A field in an array has a value for each element.
    private List<Object> fields(Path path) {
        StringBuilder pattern = new StringBuilder();
        for (Step step : path.steps()) {
            switch (step) {
                case WhereExpression.Name name ->
                    pattern.append(pattern.isEmpty() ? "" : "\\.").append(Pattern.quote(name.name()));
                case WhereExpression.Index index -> pattern.append("\\[").append(index.index()).append("\\]");
                case WhereExpression.Every _ -> pattern.append("\\[\\d+\\]");
            }
        }
        return values.entrySet()
                .stream()
                .filter(entry -> entry.getKey().matches(pattern.toString()))
                .map(Map.Entry::getValue)
                .toList();
    }

    private boolean compare(Object value, WhereOperator operator, Operand operand) {
        return switch (operand) {
            case WhereExpression.Quoted quoted when operator == WhereOperator.MATCHES ->
                Pattern.compile(quoted.escaped()).matcher((String) value).find();
            case WhereExpression.Quoted quoted when operator == WhereOperator.MATCHES_NOT ->
                !Pattern.compile(quoted.escaped()).matcher((String) value).find();
            case WhereExpression.Quoted quoted -> operator.accepts(((String) value).compareTo(text(quoted)));
            case WhereExpression.Numeral number -> compareNumber(value, operator, number.value());
            case WhereExpression.MinusInfinity _ -> compareFloating(value, operator, Double.NEGATIVE_INFINITY);
            case Path path when value instanceof DecodedStruct.Constant constant
                    && List.of("ZERO", "ONE", "OTHER").contains(path.word()) ->
                constant(constant, operator, path);
            case Path path when value instanceof Boolean flag && fields(path).isEmpty()
                    && List.of("true", "false").contains(path.word()) ->
                operator.accepts(flag.compareTo(path.word().equals("true")));
            case Path path when path.word().equals("nan") -> operator.accepts(isNan(value) ? 0 : 1);
            case Path path when path.word().equals("infinity") ->
                compareFloating(value, operator, Double.POSITIVE_INFINITY);
            case Path path -> fields(path).stream().anyMatch(other -> compareFields(value, operator, other));
        };
    }

    private static boolean constant(DecodedStruct.Constant value, WhereOperator operator, Path path) {
        if (path.word().equals("OTHER")) {
            boolean isKnown = value.type()
                    .constants()
                    .stream()
                    .anyMatch(constant -> BigInteger.valueOf(constant.value()).equals(value.value()));
            return operator.accepts(isKnown ? 1 : 0);
        }
        return operator.accepts(value.value().compareTo(path.word().equals("ONE") ? BigInteger.ONE : BigInteger.ZERO));
    }

    private static boolean compareFields(Object a, WhereOperator operator, Object b) {
        if (a instanceof String text) {
            return operator.accepts(text.compareTo((String) b));
        }
        if (a instanceof Boolean flag) {
            return operator.accepts(flag.compareTo((Boolean) b));
        }
        if (isFloating(a) || isFloating(b)) {
            return compareFloating(a, operator, toDouble(b));
        }
        return operator.accepts(integer(a).compareTo(integer(b)));
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
            case MATCHES, MATCHES_NOT -> throw new AssertionError();
        };
    }

    private static boolean isFloating(Object value) {
        return value instanceof Float || value instanceof Double;
    }

    private static boolean isNan(Object value) {
        return Double.isNaN(toDouble(value));
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

    private static String text(WhereExpression.Quoted quoted) {
        try {
            return WhereText.unescape(quoted);
        } catch (WhereException e) {
            throw new AssertionError(e);
        }
    }
}
