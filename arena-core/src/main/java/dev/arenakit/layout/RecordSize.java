package dev.arenakit.layout;

import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;

/// The size of the code for a struct.
///
/// @param accesses the number of components, including those of nested records and of all records of a union
/// @param depth    the number of nested structs and unions around the innermost component
record RecordSize(int accesses, int depth) {
    /// The maximum number of accesses to a segment in one method.
    private static final int LARGEST = 40;
    /// The maximum number of accesses to an array in one method.
    private static final int LARGEST_OF_ARRAY = 320;
    /// The JIT compiler inlines 15 levels of calls, and each nested record adds one.
    private static final int DEEPEST = 8;

    static RecordSize of(MemoryType type) {
        return switch (type) {
            case StructType struct -> struct.members()
                    .stream()
                    .map(member -> of(member.type()))
                    .reduce(new RecordSize(0, 0), RecordSize::plus)
                    .nested();
            case UnionType union -> union.members()
                    .stream()
                    .map(member -> of(member.type()))
                    .reduce(new RecordSize(0, 0), RecordSize::plus)
                    .nested();
            default -> new RecordSize(1, 0);
        };
    }

    private RecordSize plus(RecordSize other) {
        return new RecordSize(accesses + other.accesses, Math.max(depth, other.depth));
    }

    private RecordSize nested() {
        return new RecordSize(accesses, depth + 1);
    }

    /// Returns whether the struct is read and written through an array.
    boolean isLarge() {
        return accesses > LARGEST || depth > DEEPEST + 1;
    }

    /// Returns whether the code of an outer record may contain that of this record.
    ///
    /// @param others   the number of accesses that the code already contains
    /// @param ofOuter  the depth of the outer record
    boolean fitsInto(int others, int ofOuter) {
        return ofOuter + depth <= DEEPEST + 1 && others + accesses <= LARGEST_OF_ARRAY;
    }
}
