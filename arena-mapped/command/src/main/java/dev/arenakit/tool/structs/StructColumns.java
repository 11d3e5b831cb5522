package dev.arenakit.tool.structs;

import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StringType;
import java.util.IdentityHashMap;

/// The columns of a table whose rows are structs: one column for each value that is not a struct, union or array. All
/// members of a union, and all elements of an array, have columns.
public final class StructColumns {
    /// A table with more columns is of no use.
    public static final int MAX = 100_000;

    /// Receives a column.
    @FunctionalInterface
    public interface Consumer {
        /// Receives the next column.
        ///
        /// @param path       the path of the value, as in `levels[0].price`
        /// @param type       its type
        /// @param byteOffset its offset in the struct
        void accept(String path, MemoryType type, long byteOffset);
    }

    private final IdentityHashMap<MemoryType, Long> counts = new IdentityHashMap<>();
    /// The first columns of members, by their structs and unions.
    private final IdentityHashMap<MemoryType, IdentityHashMap<Member, Integer>> starts = new IdentityHashMap<>();

    /// The number of columns of a type.
    public long count(MemoryType type) {
        Long known = counts.get(type);
        if (known != null) {
            return known;
        }
        long count = isColumn(type) ? 1 : type.innerTypes().stream().mapToLong(inner -> atMost(count(inner))).sum();
        if (type instanceof ArrayType array) {
            count *= atMost(array.length());
        }
        counts.put(type, count);
        return count;
    }

    private static long atMost(long count) {
        return Math.min(count, Integer.MAX_VALUE);
    }

    private static boolean isColumn(MemoryType type) {
        return type.isScalar() || type instanceof StringType;
    }

    /// The first column of a member among the columns of its struct or union.
    ///
    /// @param group a struct or union with at most [#MAX] columns
    public int start(MemoryType group, Member member) {
        return starts.computeIfAbsent(group, this::starts).getOrDefault(member, 0);
    }

    private IdentityHashMap<Member, Integer> starts(MemoryType group) {
        IdentityHashMap<Member, Integer> found = new IdentityHashMap<>();
        int at = 0;
        for (Member member : group.members()) {
            found.put(member, at);
            at += (int) count(member.type());
        }
        return found;
    }

    /// Passes the columns of a type, in their order.
    ///
    /// @param type a type with at most [#MAX] columns
    public static void forEach(MemoryType type, Consumer consumer) {
        forEach(type, "", 0, consumer);
    }

    private static void forEach(MemoryType type, String path, long byteOffset, Consumer consumer) {
        if (isColumn(type)) {
            consumer.accept(path, type, byteOffset);
        } else if (type instanceof ArrayType array) {
            for (long i = 0; i < array.length(); i++) {
                forEach(array.element(), path + "[" + i + "]", byteOffset + i * array.element().byteSize(), consumer);
            }
        } else {
            type.members()
                    .forEach(member -> forEach(member.type(), path + (path.isEmpty() ? "" : ".") + member.name(),
                            byteOffset + member.byteOffset(), consumer));
        }
    }
}
