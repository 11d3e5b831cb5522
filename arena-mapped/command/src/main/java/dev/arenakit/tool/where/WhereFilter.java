package dev.arenakit.tool.where;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.tool.image.StoppedException;
import dev.arenakit.tool.structs.StructPieces;
import dev.arenakit.tool.where.WhereField.Condition;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Set;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// A predicate on structs of one type. A struct whose bytes are all zero never satisfies it, whether the struct was
/// written or is in a hole: `show` prints such structs as zeros. Entries of structures alone can be zero.
///
/// @param members  the members of the structs that the predicate names; in a table of columns, the count of an array and
///                 the discriminator of a union are in the column of the array or the union
/// @param byteSize the size of a struct
/// @param hasZeros whether a struct whose bytes are all zero can satisfy the predicate
public record WhereFilter(Condition condition, Set<String> members, int byteSize, boolean hasZeros) {
    /// Accepts structs that satisfy a predicate.
    @FunctionalInterface
    public interface Consumer {
        /// Accepts one or more consecutive structs.
        ///
        /// @param index the index of the first struct in the allocation
        /// @param count the number of structs
        /// @param bytes their bytes, which are valid during the call
        /// @return whether to go on
        boolean accept(long index, long count, MemorySegment bytes) throws IOException;
    }

    /// Returns the predicate for structs that were all stored, so that zeros can satisfy it. The source has no holes.
    public WhereFilter withZeros() {
        return new WhereFilter(condition, members, byteSize, true);
    }

    /// Whether a struct satisfies the predicate.
    public boolean test(MemorySegment struct) {
        return test(struct, 0);
    }

    private boolean test(MemorySegment bytes, long at) {
        // All bytes are zero if the first one is, and each is equal to the next one.
        return condition.test(bytes, at) && (hasZeros || bytes.get(JAVA_BYTE, at) != 0
                || MemorySegment.mismatch(bytes, at, at + byteSize - 1, bytes, at + 1, at + byteSize) >= 0);
    }

    /// Passes the structs that satisfy the predicate to a consumer. An incomplete struct at the end is left out.
    ///
    /// @param source the bytes of the allocation; holes are not read
    /// @param first  the index of the first struct
    /// @param count  the number of structs
    /// @return whether the consumer has accepted all structs
    public boolean search(ExtentSource source, long first, long count, Consumer consumer) throws IOException {
        if (first > Long.MAX_VALUE / byteSize || count == 0) {
            return true;
        }
        long bytes = count > Long.MAX_VALUE / byteSize ? Long.MAX_VALUE : count * byteSize;
        try {
            source.transferTo(new StructPieces(byteSize, first, false, (at, structs) -> search(at, structs, consumer)),
                    first * byteSize, bytes);
            return true;
        } catch (StoppedException e) {
            return false;
        }
    }

    /// Passes the structs of a piece that satisfy the predicate to a consumer.
    private void search(long index, MemorySegment bytes, Consumer consumer) throws IOException {
        long start = next(bytes, 0, true);
        while (start < bytes.byteSize()) {
            long end = next(bytes, start + byteSize, false);
            if (!consumer.accept(index + start / byteSize, (end - start) / byteSize,
                    bytes.asSlice(start, end - start))) {
                throw new StoppedException();
            }
            start = next(bytes, end + byteSize, true);
        }
    }

    /// The offset of the next struct that satisfies the predicate, or does not; the end if there is none.
    private long next(MemorySegment bytes, long from, boolean isWanted) {
        long at = from;
        while (at < bytes.byteSize() && test(bytes, at) != isWanted) {
            at += byteSize;
        }
        return at;
    }
}
