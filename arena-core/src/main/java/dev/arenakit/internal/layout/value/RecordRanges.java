package dev.arenakit.internal.layout.value;

import dev.arenakit.internal.layout.declaration.ComponentDeclaration;
import dev.arenakit.internal.layout.declaration.GivenStruct;
import dev.arenakit.internal.layout.declaration.UnionRecords;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/// The ranges of bytes that are copied to a struct after a record was written to a copy of the struct.
///
/// @param partial whether a record leaves some bytes of members as they are, so that the copy must contain them first
/// @param limits  the offset and the limit of each range of bytes, in pairs
@SuppressWarnings("ArrayRecordComponent") // Ranges are not compared.
public record RecordRanges(boolean partial, int[] limits) {
    /// Returns the ranges that a write of a record changes.
    ///
    /// @param type a struct that fits the Java heap
    public static RecordRanges of(Class<?> record, StructType type) {
        if (!GivenStruct.isPartial(record, type)) {
            return new RecordRanges(false, new int[]{0, (int) type.byteSize()});
        }
        List<int[]> ranges = new ArrayList<>();
        add(ranges, record, type, 0);
        ranges.sort(Comparator.comparingInt(range -> range[0]));
        List<int[]> merged = new ArrayList<>();
        for (int[] range : ranges) {
            if (!merged.isEmpty() && range[0] <= merged.getLast()[1]) {
                merged.getLast()[1] = Math.max(merged.getLast()[1], range[1]);
            } else {
                merged.add(range);
            }
        }
        return new RecordRanges(true, merged.stream().flatMapToInt(IntStream::of).toArray());
    }

    private static void add(List<int[]> ranges, Class<?> record, StructType type, long offset) {
        for (ComponentDeclaration component : ComponentDeclaration.ofRecord(record).orElseThrow()) {
            Member member = GivenStruct.member(component, type);
            add(ranges, component, member.type(), offset + member.byteOffset());
        }
    }

    private static void add(List<int[]> ranges, ComponentDeclaration component, MemoryType type, long offset) {
        if (type instanceof StructType struct) {
            add(ranges, component.type(), struct, offset);
        } else if (type instanceof UnionType union && component.type() != byte[].class) {
            for (Class<?> permitted : UnionRecords.of(component.type())) {
                add(ranges, permitted, (StructType) GivenStruct.variant(component, permitted, union).type(), offset);
            }
        } else {
            ranges.add(new int[]{(int) offset, (int) (offset + type.byteSize())});
        }
    }

    /// Copies a struct.
    public void copy(MemorySegment from, long fromOffset, MemorySegment to, long toOffset) {
        for (int i = 0; i < limits.length; i += 2) {
            MemorySegment.copy(from, fromOffset + limits[i], to, toOffset + limits[i], limits[i + 1] - limits[i]);
        }
    }
}
