package dev.arenakit.internal.layout.value;

import dev.arenakit.internal.layout.declaration.ComponentDeclaration;
import dev.arenakit.internal.layout.declaration.PackedInteger;
import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.BiFunction;

/// Reads and writes a component that is more than one value of a VarHandle: text, an array, a large record.
///
/// Codecs are records, and they are held in `static final` fields, so that the compiler treats their fields as
/// constants.
public sealed interface ComponentCodec
        permits TextCodec, PrimitiveArrayCodec, IntegerArrayCodec, EnumArrayCodec, AddressArrayCodec, CodedArrayCodec,
        CountedArrayCodec, NestedRecordCodec, RecordArrayCodec {

    /// Returns the codec of an array that fits the Java heap.
    ///
    /// @param component an array
    /// @param array     the type in memory
    /// @param offset    the offset of the array in the struct
    /// @param records   provides the codec of an element that is a record
    /// @throws IllegalArgumentException if the types of the elements do not agree
    static ComponentCodec ofArray(ComponentDeclaration component, ArrayType array, long offset,
            BiFunction<ComponentDeclaration, StructType, RecordCodec> records) {
        ComponentDeclaration element = component.element();
        Class<?> type = element.type();
        String where = component.where();
        int length = (int) array.length();
        return switch (array.element()) {
            case ValueType value when type == value.carrier() ->
                new PrimitiveArrayCodec(value.layout(), length, offset, where);
            case UnsignedType unsigned when unsigned.isPatternOf(type) ->
                new PrimitiveArrayCodec((ValueLayout) unsigned.layout(), length, offset, where);
            case UnsignedType unsigned when type.isPrimitive() ->
                new IntegerArrayCodec(type, PackedInteger.of(unsigned),
                        IntegerRange.of(PackedInteger.of(unsigned), type, where), length, offset);
            case EnumType memory when type.isEnum() ->
                new EnumArrayCodec(type, EnumCodec.of(element, memory), PackedInteger.of(memory), length, offset,
                        where);
            case AddressType address when type == MemorySegment.class ->
                new AddressArrayCodec(address.layout(), length, offset, where);
            case StructType struct when type.isRecord() ->
                new RecordArrayCodec(type, records.apply(element, struct), RecordRanges.of(type, struct), length,
                        offset, where);
            case StringType text when type == String.class ->
                new CodedArrayCodec(type, TextCodec.of(element, text, 0), text.byteSize(), length, offset, where);
            case ArrayType inner when type.isArray() ->
                new CodedArrayCodec(type, ofArray(element, inner, 0, records), inner.byteSize(), length, offset, where);
            default -> throw component.disagreement(array);
        };
    }

    /// Reads the component.
    ///
    /// @param base the offset of the struct
    /// @throws IllegalArgumentException if the bytes in memory have no meaning for the component
    Object read(MemorySegment segment, long base);

    /// Checks a value, and converts it for [#write]. Memory may be read, and is not changed.
    ///
    /// @param base the offset of the struct
    /// @return the argument for [#write]
    /// @throws IllegalArgumentException if the value does not fit
    Object prepare(MemorySegment segment, long base, Object value);

    /// Writes a value that [#prepare] returned for the same struct. This method only copies: it does not allocate, and
    /// it does not execute code of the user.
    void write(MemorySegment segment, long base, Object prepared);

    /// Returns the codec of an array with another number of elements.
    default ComponentCodec withLength(int other) {
        throw new AssertionError("Not an array: " + this);
    }
}
