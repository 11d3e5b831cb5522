package dev.arenakit.internal.layout.record;

import dev.arenakit.internal.layout.emit.AccessExceptions;
import dev.arenakit.internal.layout.emit.ShortStructs;
import dev.arenakit.internal.layout.value.RecordCodec;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The end of an access of a mapper that failed: the exception gets a message with index or offset, size and layout.
///
/// A record whose last component is a union may be at the end of a segment that is cut off after the valid member of
/// the union. Its access fails first, and is then repeated in a copy. Accesses to whole structs therefore do not cost
/// more.
public final class RecordFailures {
    private RecordFailures() {}

    /// Reads a record that is cut off, or throws the exception of the read with a longer message.
    ///
    /// @param place  "index" or "byteOffset"
    /// @param number the index or offset
    /// @param stride the distance in bytes between two values of the number
    public static Object read(RuntimeException e, RecordCodec mapper, @Nullable MemorySegment segment, String place,
            long number, long stride) {
        RuntimeException explained = AccessExceptions.explained(e, mapper.type(), segment, place + "=" + number, number,
                stride, false);
        if (segment == null || !isShort(e, mapper, segment, number, stride)) {
            throw explained;
        }
        try (Arena arena = Arena.ofConfined()) {
            long byteOffset = number * stride;
            MemorySegment copy = copy(arena, mapper, segment, byteOffset);
            checkEnd(explained, mapper.type(), copy, segment.byteSize() - byteOffset);
            return mapper.get(copy, 0);
        }
    }

    /// Writes a record that is cut off, or throws the exception of the write with a longer message. The parameters are
    /// the parameters of [#read].
    public static void write(RuntimeException e, RecordCodec mapper, @Nullable MemorySegment segment, String place,
            long number, long stride, Object record) {
        RuntimeException explained = AccessExceptions.explained(e, mapper.type(), segment, place + "=" + number, number,
                stride, true);
        if (segment == null || !isShort(e, mapper, segment, number, stride)) {
            throw explained;
        }
        try (Arena arena = Arena.ofConfined()) {
            long byteOffset = number * stride;
            MemorySegment copy = copy(arena, mapper, segment, byteOffset);
            mapper.set(copy, 0, record);
            long end = checkEnd(explained, mapper.type(), copy, segment.byteSize() - byteOffset);
            if (segment.isReadOnly()) {
                throw new IllegalArgumentException("Segment is read-only: byteOffset=" + byteOffset + ", layout="
                        + mapper.type().name() + ", layout.byteSize=" + mapper.byteSize() + ", segment.byteSize="
                        + segment.byteSize());
            }
            MemorySegment.copy(copy, 0, segment, byteOffset, end);
        }
    }

    /// Returns whether an access failed because only the beginning of the struct is in the segment.
    private static boolean isShort(RuntimeException e, RecordCodec mapper, MemorySegment segment, long number,
            long stride) {
        if (!(e instanceof IndexOutOfBoundsException) || !ShortStructs.exist(mapper.type()) || number < 0
                || number > segment.byteSize() / stride) {
            return false;
        }
        long byteOffset = number * stride;
        return byteOffset < segment.byteSize() && segment.byteSize() - byteOffset < mapper.byteSize()
                && (segment.address() + byteOffset) % mapper.type().byteAlignment() == 0
                && segment.maxByteAlignment() >= mapper.type().byteAlignment();
    }

    private static MemorySegment copy(Arena arena, RecordCodec mapper, MemorySegment segment, long byteOffset) {
        MemorySegment copy = arena.allocate(mapper.byteSize(), mapper.type().byteAlignment());
        MemorySegment.copy(segment, byteOffset, copy, 0, segment.byteSize() - byteOffset);
        return copy;
    }

    /// Returns the end of the valid member of the union.
    ///
    /// @throws RuntimeException the given one, if the end is beyond the limit
    private static long checkEnd(RuntimeException explained, StructType type, MemorySegment copy, long limit) {
        long end = end(type, 0, copy, limit);
        if (end > limit) {
            throw explained;
        }
        return end;
    }

    private static long end(StructType type, long offset, MemorySegment copy, long limit) {
        Member last = type.members().getLast();
        if (last.type() instanceof StructType struct) {
            return end(struct, offset + last.byteOffset(), copy, limit);
        }
        UnionType union = (UnionType) last.type();
        UnionType.Discriminator discriminator = union.discriminator().orElseThrow();
        Member member = type.nested(discriminator.member()).orElseThrow();
        if (offset + member.limit() > limit) {
            return Long.MAX_VALUE;
        }
        long value = member.type().integer().orElseThrow().get(copy, offset + member.byteOffset());
        int position = discriminator.validMember(value);
        return position < 0
                ? Long.MAX_VALUE
                : offset + last.byteOffset() + union.members().get(position).type().byteSize();
    }
}
