package dev.arenakit.layout;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.MemorySegment;

/// An array of addresses.
///
/// @param element the layout of an element
/// @param length  the number of elements
/// @param offset  where the array begins in the struct
/// @param where   names class and component
record AddressArrayCodec(AddressLayout element, int length, long offset, String where) implements ComponentCodec {
    @Override
    public MemorySegment[] read(MemorySegment segment, long base) {
        MemorySegment[] array = new MemorySegment[length];
        for (int i = 0; i < length; i++) {
            array[i] = segment.get(element, base + offset + i * element.byteSize());
        }
        return array;
    }

    @Override
    public MemorySegment[] prepare(Object value) {
        MemorySegment[] array = ((MemorySegment[]) Components.array(value, length, where)).clone();
        for (MemorySegment address : array) {
            Components.address(address, where);
        }
        return array;
    }

    @Override
    public void write(MemorySegment segment, long base, Object prepared) {
        MemorySegment[] array = (MemorySegment[]) prepared;
        for (int i = 0; i < array.length; i++) {
            segment.set(element, base + offset + i * element.byteSize(), array[i]);
        }
    }
}
