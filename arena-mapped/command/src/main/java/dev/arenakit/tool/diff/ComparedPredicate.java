package dev.arenakit.tool.diff;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.tool.where.WhereFilter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// A predicate on the structs of two allocations. The structs at an index are compared if either of them satisfies it.
final class ComparedPredicate {
    private final WhereFilter filter;
    private final ComparedRange one;
    private final ComparedRange two;
    private final MemorySegment bytes;
    private long lastIndex = -1;
    private boolean isLastAccepted;

    /// @param struct the type that the predicate was compiled for
    ComparedPredicate(WhereFilter filter, StructType struct, ComparedRange one, ComparedRange two) {
        this.filter = filter;
        this.one = one;
        this.two = two;
        bytes = MemorySegment.ofArray(new byte[(int) struct.byteSize()]);
    }

    /// Whether the struct that contains an offset is compared.
    boolean accepts(long byteOffset) throws IOException {
        long index = byteOffset / bytes.byteSize();
        if (index != lastIndex) {
            isLastAccepted = accepts(index, one) || accepts(index, two);
            lastIndex = index;
        }
        return isLastAccepted;
    }

    private boolean accepts(long index, ComparedRange range) throws IOException {
        range.read(index * bytes.byteSize(), bytes);
        return filter.test(index, bytes);
    }
}
