package dev.arenakit.tool.where.compiler;

import dev.arenakit.layout.type.StringType;
import java.util.List;

/// A predicate that applies to one type. A condition on an absent field, such as an absent member of a union, is false.
/// A condition on each element of an array is true if it is true for any element.
public sealed interface WhereCondition {
    /// True if any term is true.
    record Any(List<WhereCondition> terms) implements WhereCondition {}

    /// True if all terms are true.
    record All(List<WhereCondition> terms) implements WhereCondition {}

    /// True if the term is false.
    record Negation(WhereCondition term) implements WhereCondition {}

    /// Compares a value with a constant.
    record Checked(Value value, Check check) implements WhereCondition {}

    /// Compares two numbers. If either number is floating-point, both are compared as `double`.
    record Pair(Value left, WhereOperator operator, Value right) implements WhereCondition {}

    /// Compares two texts.
    record TextPair(TextValue left, WhereOperator operator, TextValue right) implements WhereCondition {}

    /// Calls a method of the compiled predicate. The method tests a part of the predicate.
    record Call(int method) implements WhereCondition {}

    /// A value of a struct.
    sealed interface Value {}

    /// The index of the struct.
    record IndexValue() implements Value {}

    record IntegerValue(WherePlace place, WhereInteger form) implements Value {}

    /// A floating-point number.
    ///
    /// @param byteSize 4 for `float`, 8 for `double`
    record FloatingValue(WherePlace place, int byteSize, boolean isBigEndian) implements Value {}

    record TextValue(WherePlace place, StringType type) implements Value {}

    /// A condition on one value.
    sealed interface Check {}

    /// The same result for all present values.
    record Always(boolean result) implements Check {}

    /// Compares an integer.
    ///
    /// @param constant is unsigned if the integer is an unsigned `long`
    record IntegerCheck(WhereOperator operator, long constant) implements Check {}

    /// Whether an integer is among some values, which are in ascending order.
    record AmongCheck(List<Long> values, boolean isAmong) implements Check {}

    /// Compares a floating-point number as Java does.
    record FloatingCheck(WhereOperator operator, double constant) implements Check {}

    /// Whether a floating-point number is NaN.
    record NanCheck(boolean isNan) implements Check {}

    /// Whether a field begins with some bytes.
    record BytesCheck(List<Byte> bytes, boolean isEqual) implements Check {}

    /// Decodes a text and tests it.
    record TextCheck(WhereTextCondition text) implements Check {}
}
