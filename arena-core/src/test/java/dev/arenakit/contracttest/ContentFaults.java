package dev.arenakit.contracttest;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.List;

import static dev.arenakit.contracttest.Fault.CONFINED;

/// Overridden methods of `SegmentAllocator` that write other bytes, and memory that is not zeroed.
final class ContentFaults {
    private ContentFaults() {}

    static final List<Fault> ALL = List.of(
            Fault.of("strings have no terminator", CONFINED, pool -> new TinyArena(pool, CONFINED) {
                @Override
                public MemorySegment allocateFrom(String string, Charset charset) {
                    return allocateFrom(ValueLayout.JAVA_BYTE, string.getBytes(charset));
                }
            }, "allocateFrom_strings_givesTheBytesOfTheJdk"),

            Fault.of("values have the machine's byte order", CONFINED, pool -> new TinyArena(pool, CONFINED) {
                @Override
                public MemorySegment allocateFrom(ValueLayout.OfLong layout, long value) {
                    return super.allocateFrom(layout.withOrder(ByteOrder.nativeOrder()), value);
                }
            }, "allocateFrom_values_givesTheBytesOfTheJdk"),

            Fault.of("arrays lose their last element", CONFINED, pool -> new TinyArena(pool, CONFINED) {
                @Override
                public MemorySegment allocateFrom(ValueLayout.OfInt layout, int... elements) {
                    return super.allocateFrom(layout, Arrays.copyOf(elements, Math.max(0, elements.length - 1)));
                }
            }, "allocateFrom_arrays_givesTheBytesOfTheJdk"),

            Fault.of("elements are copied from the beginning", CONFINED, pool -> new TinyArena(pool, CONFINED) {
                @Override
                public MemorySegment allocateFrom(ValueLayout layout, MemorySegment source, ValueLayout sourceLayout,
                        long sourceOffset, long count) {
                    return super.allocateFrom(layout, source, sourceLayout, 0, count);
                }
            }, "allocateFrom_elementsOfASegment_givesTheBytesOfTheJdk"),

            Fault.of("a layout's alignment is ignored", CONFINED, pool -> new TinyArena(pool, CONFINED) {
                @Override
                public MemorySegment allocate(MemoryLayout layout) {
                    return allocate(layout.byteSize(), 1);
                }
            }, "allocate_byLayout_hasTheSizeAndAlignmentOfTheLayout"),

            Fault.of("size times count overflows", CONFINED, pool -> new TinyArena(pool, CONFINED) {
                @Override
                public MemorySegment allocate(MemoryLayout layout, long count) {
                    return allocate(layout.byteSize() * count, layout.byteAlignment());
                }
            }, "allocate_impossibleCount_isRejectedAsByTheJdk"),

            Fault.of("memory is dirty", CONFINED, pool -> new TinyArena(pool, CONFINED) {
                @Override
                MemorySegment slice(long address, long byteSize) {
                    return view.asSlice(address, byteSize);
                }
            }, "allocate_fromDirtyMemory_isZeroedAsClaimed"),

            Fault.of("memory for a layout is dirty", CONFINED, pool -> new TinyArena(pool, CONFINED) {
                @Override
                public MemorySegment allocate(MemoryLayout layout) {
                    return view.asSlice(reserve(layout.byteSize(), layout.byteAlignment()), layout.byteSize());
                }
            }, "allocate_byLayoutFromDirtyMemory_isZeroedAsClaimed"));
}
