package dev.arenakit.mapped.internal.column;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.AllocationPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The structs of an allocation that can be rows of a table.
///
/// @param parts     the parts of the allocation with these structs
/// @param isCounted whether the image records the number of rows, so that rows of zeros count, too
public record TableRows(List<AllocationPart> parts, boolean isCounted) {
    /// A struct is read in one piece.
    private static final long LARGEST_STRUCT = 1 << 26;

    /// Returns the reason why an allocation of these structs is no table, or empty if it is one.
    public static Optional<String> refusal(StructType type) {
        long byteSize = type.byteSize();
        return byteSize == 0 || byteSize > LARGEST_STRUCT
                ? Optional.of("struct of byteSize=" + byteSize)
                : Optional.empty();
    }

    /// Returns the structs that the program has stored and counted, or all structs of the allocation if it never counted
    /// them. Structs that were stored and never forced do not count after the machine failed, or the image was moved.
    public static TableRows of(Allocation allocation, StructType type) {
        if (allocation.elementCount().isEmpty() && allocation.storedCount().isEmpty()) {
            return new TableRows(allocation.parts(), false);
        }
        List<AllocationPart> counted = new ArrayList<>();
        long left = Math.min(allocation.elementCount().orElse(0), allocation.byteSize() / type.byteSize())
                * type.byteSize();
        for (AllocationPart part : allocation.parts()) {
            long byteSize = Math.min(part.byteSize(), left);
            if (byteSize > 0) {
                counted.add(new AllocationPart(part.file(), part.byteOffset(), byteSize));
            }
            left -= byteSize;
        }
        return new TableRows(counted, true);
    }
}
