package dev.arenakit.internal.layout.value;

import dev.arenakit.internal.layout.declaration.ComponentDeclaration;
import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.RefType;
import dev.arenakit.layout.type.StoredInteger;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.util.function.BiFunction;

/// Reads and writes an array of a fixed length.
///
/// All implementations have these components: `length` is the number of elements, `offset` the offset of the array in
/// the struct, `where` class and component for messages, and `type` the class of the elements.
public sealed interface ArrayCodec extends ComponentCodec {
    /// Returns the codec of an array that fits the Java heap.
    ///
    /// @param component an array
    /// @param array     the type in memory
    /// @param offset    the offset of the array in the struct
    /// @param records    provides the codec of an element that is a record
    /// @param references provides the codec of an element that is a reference
    /// @throws IllegalArgumentException if the types of the elements do not agree
    static ArrayCodec of(ComponentDeclaration component, ArrayType array, long offset,
            BiFunction<ComponentDeclaration, StructType, RecordCodec> records,
            BiFunction<ComponentDeclaration, RefType, RefCodec> references) {
        ComponentDeclaration element = component.element();
        Class<?> type = element.type();
        String where = component.where();
        int length = (int) array.length();
        return switch (array.element()) {
            case ValueType value when type == value.carrier() ->
                new OfPrimitives(value.layout(), length, offset, where);
            case UnsignedType unsigned when unsigned.isPatternOf(type) ->
                new OfPrimitives((ValueLayout) unsigned.layout(), length, offset, where);
            case UnsignedType unsigned when type.isPrimitive() ->
                new OfIntegers(type, unsigned.integer().orElseThrow(),
                        IntegerRange.of(unsigned.integer().orElseThrow(), type, where), length, offset, where);
            case EnumType memory when type.isEnum() ->
                new OfCoded(type, memory.integer().orElseThrow(), EnumCodec.of(element, memory), length, offset, where);
            case RefType memory when element.isReference() -> new OfCoded(type, StoredInteger.ofBits(memory),
                    references.apply(element, memory), length, offset, where);
            case AddressType address when type == MemorySegment.class ->
                new OfElements(type, new Address(address.layout(), where), address.byteSize(), length, offset, where);
            case StructType struct when type.isRecord() ->
                new OfRecords(type, records.apply(element, struct), RecordRanges.of(type, struct), length, offset,
                        where);
            case StringType text when type == String.class ->
                new OfElements(type, FixedTextCodec.of(element, text, 0), text.byteSize(), length, offset, where);
            case ArrayType inner when type.isArray() ->
                new OfElements(type, of(element, inner, 0, records, references), inner.byteSize(), length, offset,
                        where);
            default -> throw component.disagreement(array);
        };
    }

    /// Returns the codec of an array with another number of elements.
    ArrayCodec withLength(int other);

    /// An array of primitive values, copied in bulk.
    ///
    /// @param element the layout of an element
    record OfPrimitives(ValueLayout element, int length, long offset, String where) implements ArrayCodec {
        @Override
        public Object read(MemorySegment segment, long base) {
            Object array = Array.newInstance(element.carrier(), length);
            if (array instanceof boolean[] booleans) {
                for (int i = 0; i < booleans.length; i++) {
                    booleans[i] = segment.get(ValueLayout.JAVA_BOOLEAN, base + offset + i);
                }
            } else {
                MemorySegment.copy(segment, element, base + offset, array, 0, length);
            }
            return array;
        }

        @Override
        public Object prepare(MemorySegment segment, long base, Object value) {
            return ValueChecks.array(value, length, where);
        }

        @Override
        public void write(MemorySegment segment, long base, Object prepared) {
            if (prepared instanceof boolean[] booleans) {
                for (int i = 0; i < booleans.length; i++) {
                    segment.set(ValueLayout.JAVA_BOOLEAN, base + offset + i, booleans[i]);
                }
            } else {
                MemorySegment.copy(prepared, 0, segment, element, base + offset, length);
            }
        }

        @Override
        public OfPrimitives withLength(int other) {
            return new OfPrimitives(element, other, offset, where);
        }
    }

    private static void setAll(StoredInteger element, MemorySegment segment, long byteOffset, long[] values) {
        for (int i = 0; i < values.length; i++) {
            element.set(segment, byteOffset + (long) i * element.byteSize(), values[i]);
        }
    }

    /// An array of unsigned integers that are smaller in memory than their type in Java.
    ///
    /// @param element an element in memory
    /// @param range   the values of an element
    record OfIntegers(Class<?> type, StoredInteger element, IntegerRange range, int length, long offset,
            String where) implements ArrayCodec {
        @Override
        public Object read(MemorySegment segment, long base) {
            Object array = Array.newInstance(type, length);
            for (int i = 0; i < length; i++) {
                long value = element.get(segment, base + offset + (long) i * element.byteSize());
                switch (array) {
                    case long[] longs -> longs[i] = value;
                    case int[] ints -> ints[i] = (int) value;
                    case short[] shorts -> shorts[i] = (short) value;
                    default -> ((char[]) array)[i] = (char) value;
                }
            }
            return array;
        }

        @Override
        public long[] prepare(MemorySegment segment, long base, Object value) {
            Object array = ValueChecks.array(value, length, where);
            long[] values = new long[length];
            for (int i = 0; i < length; i++) {
                values[i] = range.checked(switch (array) {
                    case long[] longs -> longs[i];
                    case int[] ints -> ints[i];
                    case short[] shorts -> shorts[i];
                    default -> ((char[]) array)[i];
                });
            }
            return values;
        }

        @Override
        public void write(MemorySegment segment, long base, Object prepared) {
            setAll(element, segment, base + offset, (long[]) prepared);
        }

        @Override
        public OfIntegers withLength(int other) {
            return new OfIntegers(type, element, range, other, offset, where);
        }
    }

    /// An array of constants of an enum, or of references.
    ///
    /// @param element an element in memory
    /// @param codec   the constants and their values
    record OfCoded(Class<?> type, StoredInteger element, NumberCodec codec, int length, long offset,
            String where) implements ArrayCodec {
        @Override
        public Object[] read(MemorySegment segment, long base) {
            Object[] array = (Object[]) Array.newInstance(type, length);
            for (int i = 0; i < length; i++) {
                array[i] = codec.decode(element.get(segment, base + offset + (long) i * element.byteSize()));
            }
            return array;
        }

        @Override
        public long[] prepare(MemorySegment segment, long base, Object value) {
            Object[] array = (Object[]) ValueChecks.array(value, length, where);
            long[] values = new long[length];
            for (int i = 0; i < length; i++) {
                values[i] = codec.encode(array[i]);
            }
            return values;
        }

        @Override
        public void write(MemorySegment segment, long base, Object prepared) {
            setAll(element, segment, base + offset, (long[]) prepared);
        }

        @Override
        public OfCoded withLength(int other) {
            return new OfCoded(type, element, codec, other, offset, where);
        }
    }

    /// An array of addresses, of text, or of arrays.
    ///
    /// @param element the codec of an element at the offset of the struct
    /// @param stride  the size of an element
    record OfElements(Class<?> type, ComponentCodec element, long stride, int length, long offset,
            String where) implements ArrayCodec {
        @Override
        public Object[] read(MemorySegment segment, long base) {
            Object[] array = (Object[]) Array.newInstance(type, length);
            for (int i = 0; i < length; i++) {
                array[i] = element.read(segment, base + offset + i * stride);
            }
            return array;
        }

        @Override
        public Object[] prepare(MemorySegment segment, long base, Object value) {
            Object[] array = (Object[]) ValueChecks.array(value, length, where);
            Object[] prepared = new Object[length];
            for (int i = 0; i < length; i++) {
                prepared[i] = element.prepare(segment, base + offset + i * stride, array[i]);
            }
            return prepared;
        }

        @Override
        public void write(MemorySegment segment, long base, Object prepared) {
            Object[] array = (Object[]) prepared;
            for (int i = 0; i < array.length; i++) {
                element.write(segment, base + offset + i * stride, array[i]);
            }
        }

        @Override
        public OfElements withLength(int other) {
            return new OfElements(type, element, stride, other, offset, where);
        }
    }

    /// An element that is an address.
    record Address(AddressLayout layout, String where) implements ComponentCodec {
        @Override
        public MemorySegment read(MemorySegment segment, long base) {
            return AddressTargets.present(segment.get(layout, base));
        }

        @Override
        public MemorySegment prepare(MemorySegment segment, long base, Object value) {
            return ValueChecks.address(value, where);
        }

        @Override
        public void write(MemorySegment segment, long base, Object prepared) {
            segment.set(layout, base, (MemorySegment) prepared);
        }
    }

    /// An array of records.
    ///
    /// A write first writes all records to a copy of the array, so that no byte of the segment changes if a record does
    /// not fit.
    ///
    /// @param record the codec of the records, which requires no alignment
    /// @param ranges the bytes of a record that change
    record OfRecords(Class<?> type, RecordCodec record, RecordRanges ranges, int length, long offset,
            String where) implements ArrayCodec {
        @Override
        public Object[] read(MemorySegment segment, long base) {
            Object[] array = (Object[]) Array.newInstance(type, length);
            for (int i = 0; i < length; i++) {
                array[i] = record.get(segment, base + offset + i * record.byteSize());
            }
            return array;
        }

        @Override
        public MemorySegment prepare(MemorySegment segment, long base, Object value) {
            Object[] array = (Object[]) ValueChecks.array(value, length, where);
            MemorySegment copy = MemorySegment.ofArray(new byte[(int) (length * record.byteSize())]);
            if (ranges.partial()) {
                MemorySegment.copy(segment, base + offset, copy, 0, copy.byteSize());
            }
            for (int i = 0; i < length; i++) {
                record.set(copy, i * record.byteSize(), ValueChecks.required(array[i], where));
            }
            return copy;
        }

        @Override
        public void write(MemorySegment segment, long base, Object prepared) {
            MemorySegment copy = (MemorySegment) prepared;
            if (!ranges.partial()) {
                MemorySegment.copy(copy, 0, segment, base + offset, copy.byteSize());
                return;
            }
            for (long i = 0; i < copy.byteSize(); i += record.byteSize()) {
                ranges.copy(copy, i, segment, base + offset + i);
            }
        }

        @Override
        public OfRecords withLength(int other) {
            return new OfRecords(type, record, ranges, other, offset, where);
        }
    }
}
