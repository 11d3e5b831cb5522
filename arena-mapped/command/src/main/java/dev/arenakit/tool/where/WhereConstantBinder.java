package dev.arenakit.tool.where;

import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.ValueType;
import dev.arenakit.tool.where.WhereExpression.Operand;
import dev.arenakit.tool.where.WhereExpression.Path;
import dev.arenakit.tool.where.WhereField.DoubleReader;
import dev.arenakit.tool.where.WhereField.LongReader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/// Compares fields with constants. An integer is compared exactly, even with a constant that is not an integer or is
/// out of range. For a floating-point field, the constant is rounded to the type of the field first, so that a `float`
/// of `0.1` is equal to `0.1`.
final class WhereConstantBinder {
    private final WhereField field;
    private final WhereOperator operator;
    private final int column;

    private WhereConstantBinder(WhereField field, WhereOperator operator, int column) {
        this.field = field;
        this.operator = operator;
        this.column = column;
    }

    /// Compares a field with a constant.
    static WhereCondition compare(WhereField field, WhereOperator operator, Operand constant) throws WhereException {
        WhereCondition check = new WhereConstantBinder(field, operator, constant.column()).check(constant);
        return check instanceof WhereMembership ? check : field.any(check);
    }

    /// Whether a `boolean` is true or false.
    static WhereCondition truth(WhereField field, boolean isTrue) {
        LongReader reader = field.integer();
        return (bytes, at, index) -> reader.get(bytes, at, index) != 0 == isTrue;
    }

    /// The names of the constants of an enum, including the name for all other values.
    static List<String> namesOf(EnumType type) {
        List<String> names = new ArrayList<>(type.constants().stream().map(EnumType.Constant::name).toList());
        type.otherwise().ifPresent(names::add);
        return names;
    }

    /// The condition on the field, or a [WhereMembership] of the struct.
    private WhereCondition check(Operand constant) throws WhereException {
        if (field.storedType() instanceof StringType text) {
            return WhereText.compare(text, operator, constant);
        }
        if (operator.isMatching()) {
            throw new WhereException(column, operator.symbol() + " needs a field that is a text");
        }
        if (field.isBoolean()) {
            return booleanCheck(constant);
        }
        return switch (constant) {
            case WhereExpression.Numeral number -> number(number.value());
            case WhereExpression.MinusInfinity _ -> infinity(false);
            case Path path -> word(path);
            case WhereExpression.Quoted quoted -> quoted(quoted);
        };
    }

    private WhereCondition booleanCheck(Operand constant) throws WhereException {
        String word = constant instanceof Path path ? path.word() : "";
        if (!operator.isEquality() || !(word.equals(Path.TRUE) || word.equals(Path.FALSE))) {
            throw new WhereException(column, "the field is true or false: compare it with == true or == false");
        }
        return truth(field, word.equals(Path.TRUE) == (operator == WhereOperator.EQUAL));
    }

    private WhereCondition word(Path path) throws WhereException {
        String word = path.word();
        if (field.enumType().isPresent()) {
            return constant(field.enumType().get(), word);
        }
        if (word.equals(Path.INFINITY)) {
            return infinity(true);
        }
        if (word.equals(Path.NAN) && field.isFloatingPoint()) {
            if (!operator.isEquality()) {
                throw new WhereException(column, "nan can only be compared with == and !=");
            }
            DoubleReader reader = field.number();
            boolean isNan = operator == WhereOperator.EQUAL;
            return (bytes, at, index) -> Double.isNaN(reader.get(bytes, at, index)) == isNan;
        }
        throw new WhereException(column,
                "expected a number or a field" + (word.isEmpty() ? "" : ", found '" + word + "'"));
    }

    private WhereCondition quoted(WhereExpression.Quoted quoted) throws WhereException {
        String text = WhereText.unescape(quoted);
        if (field.enumType().isPresent()) {
            return constant(field.enumType().get(), text);
        }
        if (field.storedType() instanceof ValueType unit && unit.carrier() == char.class && text.length() == 1) {
            return number(BigDecimal.valueOf(text.charAt(0)));
        }
        throw new WhereException(column, "expected a number: the field is no text");
    }

    private WhereCondition constant(EnumType constants, String name) throws WhereException {
        for (EnumType.Constant constant : constants.constants()) {
            if (constant.name().equals(name)) {
                return integer(operator, constant.value());
            }
        }
        if (constants.otherwise().isPresent() && constants.otherwise().get().equals(name)) {
            if (!operator.isEquality()) {
                throw new WhereException(column,
                        "'" + name + "' stands for several values: it can only be compared with == and !=");
            }
            return WhereMembership.of(field, operator == WhereOperator.NOT_EQUAL,
                    constants.constants().stream().map(EnumType.Constant::value).toList());
        }
        String owner = (constants.name().isEmpty() ? "the enum" : constants.name()) + " has";
        throw new WhereException(column,
                "no constant '" + name + "'" + WhereFieldFinder.suggestion(name, namesOf(constants), owner));
    }

    private WhereCondition infinity(boolean isPositive) {
        if (field.isFloatingPoint()) {
            return floating(isPositive ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY);
        }
        return WhereCondition.always(operator.accepts(isPositive ? -1 : 1));
    }

    private WhereCondition number(BigDecimal number) {
        if (field.isFloatingPoint()) {
            return floating(field.isFloat() ? number.floatValue() : number.doubleValue());
        }
        BigInteger floor = number.setScale(0, RoundingMode.FLOOR).toBigIntegerExact();
        boolean isInteger = number.compareTo(new BigDecimal(floor)) == 0;
        if (!isInteger && operator.isEquality()) {
            return WhereCondition.always(operator == WhereOperator.NOT_EQUAL);
        }
        // x < 2.5 and x <= 2.5 are x <= 2; x > 2.5 and x >= 2.5 are x > 2.
        WhereOperator exact = isInteger ? operator : switch (operator) {
            case LESS, LESS_OR_EQUAL -> WhereOperator.LESS_OR_EQUAL;
            default -> WhereOperator.GREATER;
        };
        if (floor.compareTo(field.form().smallest()) < 0) {
            return WhereCondition.always(exact.accepts(1));
        }
        if (floor.compareTo(field.form().largest()) > 0) {
            return WhereCondition.always(exact.accepts(-1));
        }
        return integer(exact, floor.longValue());
    }

    /// Compares an integer.
    ///
    /// @param constant is unsigned if the integer is an unsigned `long`
    private WhereCondition integer(WhereOperator exact, long constant) {
        if (exact.isEquality()) {
            return WhereMembership.of(field, exact == WhereOperator.EQUAL, List.of(constant));
        }
        LongReader reader = field.integer();
        // With the highest bit inverted, unsigned numbers compare like signed ones.
        long inverted = field.form().isUnsignedLong() ? Long.MIN_VALUE : 0;
        return (bytes, at, index) -> exact
                .accepts(Long.compare(reader.get(bytes, at, index) ^ inverted, constant ^ inverted));
    }

    private WhereCondition floating(double constant) {
        DoubleReader reader = field.number();
        return (bytes, at, index) -> operator.accepts(reader.get(bytes, at, index), constant);
    }
}
