package dev.arenakit.tool.where;

import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.ValueType;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// A field of a struct, a field of each element of an array, or the index of the struct.
///
/// @param path       the path in a predicate, without spaces
/// @param storedType the type of the field, which says in which bits a bit field is stored
/// @param isIndex    whether the value is the index of the struct
/// @param byteOffset the offset in the struct; not used if there are steps
/// @param steps      the steps to a field that a struct can lack or can have several times, otherwise an empty list
record WhereField(String path, MemoryType storedType, boolean isIndex, long byteOffset,
        List<UnaryOperator<Step>> steps) {
    /// A step on the way to a field. Each step calls the next one, and the last step tests the field.
    @FunctionalInterface
    interface Step {
        /// Whether there is such a field, and it satisfies the condition.
        ///
        /// @param struct the offset of the innermost struct that contains the field
        /// @param at     the offset that the steps so far have reached
        boolean test(MemorySegment bytes, long struct, long at, long index);
    }

    /// Reads an integer or a boolean.
    @FunctionalInterface
    interface LongReader {
        long get(MemorySegment bytes, long at, long index);
    }

    /// Reads a number as `double`.
    @FunctionalInterface
    interface DoubleReader {
        double get(MemorySegment bytes, long at, long index);
    }

    /// Tests two fields.
    @FunctionalInterface
    interface PairPredicate {
        boolean test(MemorySegment bytes, long left, long right, long index);
    }

    static final WhereField INDEX = new WhereField(WhereExpression.Path.INDEX, ValueType.of(long.class), true, 0,
            List.of());

    /// The declared type, without the bits in which a bit field is stored.
    MemoryType type() {
        return storedType instanceof BitFieldType bits ? bits.declared() : storedType;
    }

    /// Whether a struct has the field at most once.
    boolean isSingle() {
        return !path.contains("[*]");
    }

    boolean isBoolean() {
        return type() instanceof ValueType value && value.carrier() == boolean.class;
    }

    boolean isFloat() {
        return storedType instanceof ValueType value && value.carrier() == float.class;
    }

    boolean isFloatingPoint() {
        return isFloat() || (storedType instanceof ValueType value && value.carrier() == double.class);
    }

    boolean isText() {
        return storedType instanceof StringType;
    }

    Optional<EnumType> enumType() {
        return type() instanceof EnumType constants ? Optional.of(constants) : Optional.empty();
    }

    /// The storage of an integer or a boolean, or of the bits of a floating-point number.
    WhereInteger form() {
        return switch (storedType) {
            case AddressType address -> WhereInteger.ofBytes(address.byteSize(), address.order(), false);
            case ValueType value when isFloatingPoint() ->
                WhereInteger.ofBytes(value.byteSize(), value.order(), true);
            default -> WhereInteger.of(storedType).orElseThrow();
        };
    }

    /// The reader of an integer, or of a boolean as 0 or 1.
    LongReader integer() {
        if (isIndex) {
            return (_, _, index) -> index;
        }
        WhereInteger form = form();
        return isBoolean()
                ? (bytes, at, _) -> form.get(bytes, at) == 0 ? 0 : 1
                : (bytes, at, _) -> form.get(bytes, at);
    }

    /// The reader of a number as `double`.
    DoubleReader number() {
        WhereInteger form = form();
        if (isFloat()) {
            return (bytes, at, _) -> Float.intBitsToFloat((int) form.get(bytes, at));
        }
        if (isFloatingPoint()) {
            return (bytes, at, _) -> Double.longBitsToDouble(form.get(bytes, at));
        }
        LongReader integer = integer();
        return form.isUnsignedLong()
                ? (bytes, at, index) -> doubleOfUnsigned(integer.get(bytes, at, index))
                : (bytes, at, index) -> integer.get(bytes, at, index);
    }

    /// The value of an unsigned integer, rounded.
    private static double doubleOfUnsigned(long unsigned) {
        // The half keeps the lowest bit, so that it is rounded as the whole number would be.
        return unsigned >= 0 ? unsigned : (unsigned >>> 1 | (unsigned & 1)) * 2.0;
    }

    /// The condition on a struct that its field, or any of its fields, satisfies a condition.
    WhereCondition any(WhereCondition condition) {
        if (steps.isEmpty()) {
            return (bytes, at, index) -> condition.test(bytes, at + byteOffset, index);
        }
        Step last = (bytes, _, at, index) -> condition.test(bytes, at, index);
        Step first = steps.reversed().stream().reduce(last, (next, step) -> step.apply(next), (a, _) -> a);
        return (bytes, at, index) -> first.test(bytes, at, at, index);
    }

    /// The condition on a struct that any pair of two fields satisfies a test.
    static WhereCondition anyPair(WhereField left, WhereField right, PairPredicate test) {
        if (left.isIndex) {
            return right.any((bytes, at, index) -> test.test(bytes, 0, at, index));
        }
        if (right.isIndex) {
            return left.any((bytes, at, index) -> test.test(bytes, at, 0, index));
        }
        // The steps pass the index on and do not use it. Here they pass the offset of the left field instead, and on
        // the way to the left field the offset of the struct.
        WhereCondition toRight = right.any((bytes, at, leftField) -> test.test(bytes, leftField, at, 0));
        WhereCondition toLeft = left.any((bytes, at, struct) -> toRight.test(bytes, struct, at));
        return (bytes, at, _) -> toLeft.test(bytes, at, at);
    }
}
