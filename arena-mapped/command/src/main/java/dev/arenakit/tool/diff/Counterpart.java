package dev.arenakit.tool.diff;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.AllocationPart;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// An allocation of the second image. The first image may have an allocation with the same label.
///
/// @param found 1 if the first image has an allocation with the same label, otherwise 0
/// @param type  the number of its type in [Counterparts]
record Counterpart(long number, long byteOffset, long byteSize, long partByteSize, long found, int file, int type) {
    static Counterpart of(Allocation allocation, int type) {
        return new Counterpart(allocation.number(), allocation.byteOffset(), allocation.byteSize(),
                allocation.partByteSize(), 0, allocation.file(), type);
    }

    boolean isFound() {
        return found != 0;
    }

    List<AllocationPart> parts() {
        return new Allocation(number, Optional.empty(), Optional.empty(), file, byteOffset, byteSize, partByteSize, 1,
                true, Optional.empty(), OptionalLong.empty()).parts();
    }
}
