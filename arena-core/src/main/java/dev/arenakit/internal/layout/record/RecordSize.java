package dev.arenakit.internal.layout.record;

import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import java.util.List;

/// The size of the code for a struct.
///
/// @param accesses the number of components, including the components of nested records and of all records of a union
/// @param depth    the number of nested structs and unions around the innermost component
public record RecordSize(int accesses, int depth) {
    /// The maximum number of accesses to a segment in one method. With half the stack of a JIT compiler thread, a
    /// method with 48 accesses compiles and a method with 64 does not. From about 30 accesses on, an array is faster,
    /// and remains faster if one method makes two such calls.
    private static final int LARGEST = 32;
    /// The maximum number of accesses to an array in one method. With half the stack of a JIT compiler thread, a method
    /// with 160 accesses compiles and a method with 200 does not.
    static final int LARGEST_OF_ARRAY = 64;
    /// The maximum number of accesses in a method that checks the segment before it reads the components. Without this
    /// check, the values of eight components occupy the registers that the checks need. The check costs as many nodes
    /// of the compiler as one access, which a loop that writes a record of 16 components lacks.
    private static final int LARGEST_CHECKED_FIRST = 8;
    /// The JIT compiler inlines 15 levels of calls, and each nested record adds one.
    private static final int DEEPEST = 8;

    public static RecordSize of(MemoryType type) {
        if (type instanceof StructType struct) {
            return of(struct.members());
        }
        return type instanceof UnionType union ? of(union.members()) : new RecordSize(1, 0);
    }

    private static RecordSize of(List<Member> members) {
        int accesses = 0;
        int depth = 0;
        for (Member member : members) {
            RecordSize size = of(member.type());
            accesses += size.accesses;
            depth = Math.max(depth, size.depth);
        }
        return new RecordSize(accesses, depth + 1);
    }

    /// Returns whether the struct is read and written through an array.
    public boolean isLarge() {
        return accesses > LARGEST || depth > DEEPEST + 1;
    }

    /// Returns whether a write checks the segment before it reads the components.
    boolean checksFirst() {
        return accesses <= LARGEST_CHECKED_FIRST;
    }

    /// Returns whether the code of an outer record may contain the code of this record.
    ///
    /// @param others   the number of accesses that the code already contains
    /// @param ofOuter  the depth of the outer record
    boolean fitsInto(int others, int ofOuter) {
        return ofOuter + depth <= DEEPEST + 1 && others + accesses <= LARGEST_OF_ARRAY;
    }
}
