package dev.arenakit.tool.where.compiler;

import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.ValueType;
import java.util.List;
import java.util.Optional;

/// The place of a field in a struct, or the places of a field in each element of an array.
///
/// @param steps the steps to the field, from the beginning of the struct
/// @param type  the type of the field
public record WherePlace(List<Step> steps, MemoryType type) {
    /// The declared type of a field, without the bits in which a bit field is stored.
    public static MemoryType declared(MemoryType type) {
        return type instanceof BitFieldType bits ? bits.declared() : type;
    }

    /// Whether the field is a `boolean`.
    boolean isBoolean() {
        return declared(type) instanceof ValueType value && value.carrier() == boolean.class;
    }

    /// A step on the way to a field.
    public sealed interface Step {}

    /// Moves forward by some bytes.
    public record Move(long byteSize) implements Step {}

    /// Enters a struct. The integers of later steps belong to this struct.
    public record Enter() implements Step {}

    /// Requires that a union has a member.
    ///
    /// @param discriminator the union's discriminator
    /// @param values        values of the discriminator
    /// @param isOneOfThem   whether the member is present for these values, or for all other values
    public record Require(Stored discriminator, List<Long> values, boolean isOneOfThem) implements Step {}

    /// Goes to an element of an array.
    ///
    /// @param byteSize the size of an element
    /// @param count    the number of valid elements, or empty if all are valid
    public record Element(long index, long byteSize, Optional<Stored> count) implements Step {}

    /// Goes to each element of an array in turn.
    ///
    /// @param length   the number of elements
    /// @param byteSize the size of an element
    /// @param count    the number of valid elements, or empty if all are valid
    public record Each(long length, long byteSize, Optional<Stored> count) implements Step {}

    /// An integer in the struct that was entered last.
    ///
    /// @param byteOffset the offset in that struct
    public record Stored(long byteOffset, WhereInteger form) {}
}
