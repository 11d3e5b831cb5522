package dev.arenakit.tool.where;

import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.ValueType;
import dev.arenakit.tool.where.WhereExpression.Operand;
import dev.arenakit.tool.where.compiler.WhereCondition;
import dev.arenakit.tool.where.compiler.WhereCondition.Always;
import dev.arenakit.tool.where.compiler.WhereCondition.AmongCheck;
import dev.arenakit.tool.where.compiler.WhereCondition.Check;
import dev.arenakit.tool.where.compiler.WhereCondition.Checked;
import dev.arenakit.tool.where.compiler.WhereCondition.FloatingCheck;
import dev.arenakit.tool.where.compiler.WhereCondition.FloatingValue;
import dev.arenakit.tool.where.compiler.WhereCondition.IndexValue;
import dev.arenakit.tool.where.compiler.WhereCondition.IntegerCheck;
import dev.arenakit.tool.where.compiler.WhereCondition.IntegerValue;
import dev.arenakit.tool.where.compiler.WhereCondition.NanCheck;
import dev.arenakit.tool.where.compiler.WhereCondition.TextValue;
import dev.arenakit.tool.where.compiler.WhereCondition.Value;
import dev.arenakit.tool.where.compiler.WhereInteger;
import dev.arenakit.tool.where.compiler.WhereOperator;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/// Compares fields with constants. An integer is compared exactly, even with a constant that is not an integer or is
/// out of range. For a floating-point field, the constant is rounded to the type of the field first, so that a `float`
/// of `0.1` is equal to `0.1`.
final class WhereConstantBinder {
    private static final WhereInteger INDEX = WhereInteger.of(ValueType.of(long.class)).orElseThrow();

    private final Value value;
    private final MemoryType type;
    private final WhereOperator operator;
    private final int column;

    private WhereConstantBinder(Value value, MemoryType type, WhereOperator operator, int column) {
        this.value = value;
        this.type = type;
        this.operator = operator;
        this.column = column;
    }

    /// Compares a field with a constant.
    ///
    /// @param type the type of the field
    static WhereCondition compare(Value value, MemoryType type, WhereOperator operator, Operand constant)
            throws WhereException {
        return new Checked(value, new WhereConstantBinder(value, type, operator, constant.column()).check(constant));
    }

    /// Whether a `boolean` is true or false.
    static WhereCondition truth(Value value, boolean isTrue) {
        return new Checked(value, new IntegerCheck(isTrue ? WhereOperator.NOT_EQUAL : WhereOperator.EQUAL, 0));
    }

    /// The names of the constants of an enum, including the name for all other values.
    static List<String> namesOf(EnumType type) {
        List<String> names = new ArrayList<>(type.constants().stream().map(EnumType.Constant::name).toList());
        type.otherwise().ifPresent(names::add);
        return names;
    }

    private Check check(Operand constant) throws WhereException {
        if (operator.isMatching() && !(value instanceof TextValue)) {
            throw new WhereException(column, operator.symbol() + " needs a field that is a text");
        }
        if (value instanceof TextValue text) {
            return WhereTextBinder.check(text.type(), operator, constant);
        }
        if (WhereBinder.isBoolean(type)) {
            return booleanCheck(constant);
        }
        return switch (constant) {
            case WhereExpression.Numeral number -> number(number.value());
            case WhereExpression.MinusInfinity _ -> infinity(false);
            case WhereExpression.Path path -> word(path);
            case WhereExpression.Quoted quoted -> quoted(quoted);
        };
    }

    private Check booleanCheck(Operand constant) throws WhereException {
        String word = constant instanceof WhereExpression.Path path ? path.word() : "";
        if (!operator.isEquality() || !(word.equals(WhereKeywords.TRUE) || word.equals(WhereKeywords.FALSE))) {
            throw new WhereException(column, "the field is true or false: compare it with == true or == false");
        }
        boolean isTrue = word.equals(WhereKeywords.TRUE) == (operator == WhereOperator.EQUAL);
        return new IntegerCheck(isTrue ? WhereOperator.NOT_EQUAL : WhereOperator.EQUAL, 0);
    }

    private Check word(WhereExpression.Path path) throws WhereException {
        String word = path.word();
        if (WhereBinder.enumOf(type).isPresent()) {
            return constant(WhereBinder.enumOf(type).get(), word);
        }
        if (word.equals(WhereKeywords.INFINITY)) {
            return infinity(true);
        }
        if (word.equals(WhereKeywords.NAN) && value instanceof FloatingValue) {
            if (!operator.isEquality()) {
                throw new WhereException(column, "nan can only be compared with == and !=");
            }
            return new NanCheck(operator == WhereOperator.EQUAL);
        }
        throw new WhereException(column, "expected a number or a field" + (word.isEmpty()
                ? ""
                : ", found '" + word
                        + "'"));
    }

    private Check quoted(WhereExpression.Quoted quoted) throws WhereException {
        String text = WhereTextBinder.unescape(quoted);
        if (WhereBinder.enumOf(type).isPresent()) {
            return constant(WhereBinder.enumOf(type).get(), text);
        }
        if (type instanceof ValueType unit && unit.carrier() == char.class && text.length() == 1) {
            return number(BigDecimal.valueOf(text.charAt(0)));
        }
        throw new WhereException(column, "expected a number: the field is no text");
    }

    private Check constant(EnumType constants, String name) throws WhereException {
        for (EnumType.Constant constant : constants.constants()) {
            if (constant.name().equals(name)) {
                return new IntegerCheck(operator, constant.value());
            }
        }
        if (constants.otherwise().isPresent() && constants.otherwise().get().equals(name)) {
            if (!operator.isEquality()) {
                throw new WhereException(column,
                        "'" + name + "' stands for several values: it can only be compared with == and !=");
            }
            return new AmongCheck(constants.constants().stream().map(EnumType.Constant::value).sorted().toList(),
                    operator == WhereOperator.NOT_EQUAL);
        }
        String owner = (constants.name().isEmpty() ? "the enum" : constants.name()) + " has";
        throw new WhereException(column,
                "no constant '" + name + "'" + WhereSuggestion.of(name, namesOf(constants), owner));
    }

    private Check infinity(boolean isPositive) {
        if (value instanceof FloatingValue) {
            return new FloatingCheck(operator, isPositive ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY);
        }
        return new Always(operator.accepts(isPositive ? -1 : 1));
    }

    private Check number(BigDecimal number) {
        return switch (value) {
            case FloatingValue floating -> new FloatingCheck(operator, floating.byteSize() == Float.BYTES
                    ? number.floatValue()
                    : number.doubleValue());
            case IntegerValue integer -> integer(integer.form(), number);
            case IndexValue _ -> integer(INDEX, number);
            case TextValue _ -> throw new AssertionError("Compared above");
        };
    }

    private Check integer(WhereInteger form, BigDecimal number) {
        BigInteger floor = number.setScale(0, RoundingMode.FLOOR).toBigIntegerExact();
        boolean isInteger = number.compareTo(new BigDecimal(floor)) == 0;
        if (!isInteger && operator.isEquality()) {
            return new Always(operator == WhereOperator.NOT_EQUAL);
        }
        // x < 2.5 and x <= 2.5 are x <= 2; x > 2.5 and x >= 2.5 are x > 2.
        WhereOperator exact = isInteger ? operator : switch (operator) {
            case LESS, LESS_OR_EQUAL -> WhereOperator.LESS_OR_EQUAL;
            default -> WhereOperator.GREATER;
        };
        if (floor.compareTo(form.smallest()) < 0) {
            return new Always(exact.accepts(1));
        }
        if (floor.compareTo(form.largest()) > 0) {
            return new Always(exact.accepts(-1));
        }
        return new IntegerCheck(exact, floor.longValue());
    }
}
