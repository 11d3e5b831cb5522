package dev.arenakit.internal.layout.value;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.MemorySegment;

/// An array of addresses.
///
/// @param element the layout of an element
/// @param length  the number of elements
/// @param offset  the offset of the array in the struct
/// @param where   class and component, for messages
public record AddressArrayCodec(AddressLayout element, int length, long offset,
        String where) implements ComponentCodec {
    @Override
    public MemorySegment[] read(MemorySegment segment, long base) {
        MemorySegment[] array = new MemorySegment[length];
        for (int i = 0; i < length; i++) {
            array[i] = AddressTargets.present(segment.get(element, base + offset + i * element.byteSize()));
        }
        return array;
    }

    @Override
    public MemorySegment[] prepare(MemorySegment segment, long base, Object value) {
        MemorySegment[] array = ((MemorySegment[]) ValueChecks.array(value, length, where)).clone();
        for (MemorySegment address : array) {
            ValueChecks.address(address, where);
        }
        return array;
    }

    @Override
    public AddressArrayCodec withLength(int other) {
        return new AddressArrayCodec(element, other, offset, where);
    }

    @Override
    public void write(MemorySegment segment, long base, Object prepared) {
        MemorySegment[] array = (MemorySegment[]) prepared;
        for (int i = 0; i < array.length; i++) {
            segment.set(element, base + offset + i * element.byteSize(), array[i]);
        }
    }
}
