package dev.arenakit.tool.where;

import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.StoredInteger;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.ValueType;
import dev.arenakit.tool.where.WhereField.Condition;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/// Makes the condition of a comparison: finds the field, and checks that its type suits the constant.
///
/// An integer is compared exactly, even with a constant that is out of range. For a floating-point field, the constant
/// is rounded to the type of the field first, so that a `float` of `0.1` is equal to `0.1`.
record WhereBinder(WhereField field, WhereOperator operator, int column) {
    static Condition bind(StructType struct, List<WhereOperand.Step> path, WhereOperator operator,
            WhereOperand constant) throws WhereException {
        WhereField field = WhereField.find(struct, path);
        return field.any(new WhereBinder(field, operator, constant.column()).compare(constant));
    }

    private Condition compare(WhereOperand constant) throws WhereException {
        if (isBoolean() != (operator == WhereOperator.IS_TRUE)) {
            throw new WhereException(column, "'" + field.path() + (isBoolean()
                    ? "' is a boolean: use it alone, or with ! before it"
                    : "' is no boolean: add a comparison, such as == 1"));
        }
        if (isBoolean()) {
            StoredInteger reader = field.integer();
            return (bytes, at) -> reader.get(bytes, at) != 0;
        }
        if (field.type() instanceof StringType text) {
            return WhereText.compare(text, operator, constant);
        }
        if (operator.isMatching()) {
            throw new WhereException(column, operator.symbol() + " needs a field that is a text");
        }
        return switch (constant) {
            case WhereOperand.Numeral number -> number(number.value());
            case WhereOperand.Word word -> constant(word.word(), "; arena sql also compares two fields");
            case WhereOperand.Quoted quoted -> quoted(WhereText.unescape(quoted));
        };
    }

    private boolean isBoolean() {
        return field.type() instanceof ValueType value && value.carrier() == boolean.class;
    }

    private boolean isFloatingPoint() {
        return field.type() instanceof ValueType value && value.integer().isEmpty();
    }

    private Condition quoted(String text) throws WhereException {
        if (field.type() instanceof ValueType unit && unit.carrier() == char.class && text.length() == 1) {
            return number(BigDecimal.valueOf(text.charAt(0)));
        }
        return constant(text, "");
    }

    private Condition constant(String name, String remedy) throws WhereException {
        if (!(field.type() instanceof EnumType type)) {
            throw new WhereException(column, "expected a number" + remedy);
        }
        List<String> names = new ArrayList<>();
        for (EnumType.Constant constant : type.constants()) {
            if (constant.name().equals(name)) {
                return integer(constant.value());
            }
            names.add(constant.name());
        }
        throw new WhereException(column, "no constant '" + name + "'"
                + WhereField.suggestion(name, names, type.name().isEmpty() ? "the enum" : type.name()));
    }

    private Condition number(BigDecimal number) throws WhereException {
        if (isFloatingPoint()) {
            return floating(number);
        }
        BigInteger integer = number.toBigInteger();
        if (number.compareTo(new BigDecimal(integer)) != 0) {
            throw new WhereException(column, "expected an integer: the field has only integers");
        }
        boolean isOutside = operator.accepts(-integer.signum());
        return contains(field.integer(), integer) ? integer(integer.longValue()) : (_, _) -> isOutside;
    }

    private static boolean contains(StoredInteger stored, BigInteger value) {
        return stored.isSigned()
                ? value.bitLength() < stored.bitSize()
                : value.signum() >= 0 && value.bitLength() <= stored.bitSize();
    }

    private Condition floating(BigDecimal number) {
        StoredInteger bits = field.integer();
        boolean isFloat = bits.byteSize() == Float.BYTES;
        double constant = isFloat ? number.floatValue() : number.doubleValue();
        return (bytes, at) -> {
            long value = bits.get(bytes, at);
            return operator.accepts(isFloat ? Float.intBitsToFloat((int) value) : Double.longBitsToDouble(value),
                    constant);
        };
    }

    /// @param constant is unsigned if the integer is an unsigned `long`
    private Condition integer(long constant) {
        StoredInteger reader = field.integer();
        if (operator.isEquality()) {
            boolean isEqual = operator == WhereOperator.EQUAL;
            return (bytes, at) -> reader.get(bytes, at) == constant == isEqual;
        }
        // With the highest bit inverted, unsigned numbers compare like signed ones.
        long inverted = reader.isSigned() ? 0 : Long.MIN_VALUE;
        return (bytes, at) -> operator.accepts(Long.compare(reader.get(bytes, at) ^ inverted, constant ^ inverted));
    }
}
