package dev.arenakit.tool.where;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.tool.image.StoppedException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// A predicate on structs of one type. A struct whose bytes are all zero never satisfies it, whether the struct was
/// written or is in a hole: `show` prints such structs as zeros. Entries of structures alone can be zero.
public final class WhereFilter {
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

    private static final MemorySegment ZEROS = MemorySegment.ofArray(new byte[1 << 12]).asReadOnly();

    private final WhereCondition condition;
    private final int byteSize;
    private final boolean hasZeros;

    WhereFilter(WhereCondition condition, int byteSize) {
        this(condition, byteSize, false);
    }

    private WhereFilter(WhereCondition condition, int byteSize, boolean hasZeros) {
        this.condition = condition;
        this.byteSize = byteSize;
        this.hasZeros = hasZeros;
    }

    /// Returns the predicate for structs that were all stored, so that zeros can satisfy it. The source has no holes.
    public WhereFilter withZeros() {
        return new WhereFilter(condition, byteSize, true);
    }

    /// Whether a struct satisfies the predicate.
    ///
    /// @param index the index of the struct in the allocation
    public boolean test(long index, MemorySegment struct) {
        return condition.test(struct, 0, index) && (hasZeros || !isZero(struct, 0));
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
        WhereSearch scan = new WhereSearch(this, first, consumer);
        long bytes = count > Long.MAX_VALUE / byteSize ? Long.MAX_VALUE : count * byteSize;
        try {
            source.transferTo(scan, first * byteSize, bytes);
            return true;
        } catch (StoppedException e) {
            return false;
        }
    }

    int byteSize() {
        return byteSize;
    }

    /// Finds the first struct that satisfies the predicate.
    ///
    /// @param bytes consecutive structs
    /// @param from  the offset of the first struct
    /// @param to    the offset after the last struct
    /// @param first the index of the first struct in the allocation
    /// @return the offset of the struct, or -1 if there is none
    long next(MemorySegment bytes, long from, long to, long first) {
        long index = first;
        for (long at = from; at < to; at += byteSize) {
            if (condition.test(bytes, at, index++) && (hasZeros || !isZero(bytes, at))) {
                return at;
            }
        }
        return -1;
    }

    private boolean isZero(MemorySegment bytes, long at) {
        for (long done = 0; done < byteSize;) {
            long size = Math.min(ZEROS.byteSize(), byteSize - done);
            if (MemorySegment.mismatch(bytes, at + done, at + done + size, ZEROS, 0, size) >= 0) {
                return false;
            }
            done += size;
        }
        return true;
    }
}
