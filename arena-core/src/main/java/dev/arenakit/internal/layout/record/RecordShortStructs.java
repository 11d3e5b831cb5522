package dev.arenakit.internal.layout.record;

import dev.arenakit.internal.layout.declaration.PackedInteger;
import dev.arenakit.internal.layout.emit.AccessExceptions;
import dev.arenakit.internal.layout.value.RecordCodec;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Records whose last component is a union, at the end of a segment that is cut off after the valid member of the
/// union.
///
/// An access to such a struct fails first, and is then repeated in a copy. Accesses to whole structs therefore do not
/// cost more.
public final class RecordShortStructs {
    private RecordShortStructs() {}

    public static Object readAtIndex(RuntimeException e, RecordCodec mapper, @Nullable MemorySegment segment,
            long index) {
        if (segment != null && isShort(e, mapper, segment, index, mapper.byteSize())) {
            return read(RecordAccessExceptions.readAtIndex(e, mapper, segment, index), mapper, segment,
                    index * mapper.byteSize());
        }
        throw RecordAccessExceptions.readAtIndex(e, mapper, segment, index);
    }

    public static Object readAtOffset(RuntimeException e, RecordCodec mapper, @Nullable MemorySegment segment,
            long byteOffset) {
        if (segment != null && isShort(e, mapper, segment, byteOffset, 1)) {
            return read(RecordAccessExceptions.readAtOffset(e, mapper, segment, byteOffset), mapper, segment,
                    byteOffset);
        }
        throw RecordAccessExceptions.readAtOffset(e, mapper, segment, byteOffset);
    }

    public static void writeAtIndex(RuntimeException e, RecordCodec mapper, @Nullable MemorySegment segment,
            long index, Object record) {
        if (segment == null || !isShort(e, mapper, segment, index, mapper.byteSize())) {
            throw RecordAccessExceptions.writeAtIndex(e, mapper, segment, index);
        }
        write(RecordAccessExceptions.writeAtIndex(e, mapper, segment, index), mapper, segment,
                index * mapper.byteSize(),
                record);
    }

    public static void writeAtOffset(RuntimeException e, RecordCodec mapper, @Nullable MemorySegment segment,
            long byteOffset, Object record) {
        if (segment == null || !isShort(e, mapper, segment, byteOffset, 1)) {
            throw RecordAccessExceptions.writeAtOffset(e, mapper, segment, byteOffset);
        }
        write(RecordAccessExceptions.writeAtOffset(e, mapper, segment, byteOffset), mapper, segment, byteOffset,
                record);
    }

    /// Returns whether an access failed because only the beginning of the struct is in the segment.
    private static boolean isShort(RuntimeException e, RecordCodec mapper, MemorySegment segment, long number,
            long stride) {
        if (!(e instanceof IndexOutOfBoundsException) || number < 0 || number > segment.byteSize() / stride) {
            return false;
        }
        long byteOffset = number * stride;
        return byteOffset < segment.byteSize() && segment.byteSize() - byteOffset < mapper.byteSize()
                && (segment.address() + byteOffset) % mapper.type().byteAlignment() == 0
                && segment.maxByteAlignment() >= mapper.type().byteAlignment();
    }

    private static Object read(RuntimeException explained, RecordCodec mapper, MemorySegment segment,
            long byteOffset) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = copy(arena, mapper, segment, byteOffset);
            checkEnd(explained, mapper.type(), copy, segment.byteSize() - byteOffset);
            return mapper.get(copy, 0);
        }
    }

    private static void write(RuntimeException explained, RecordCodec mapper, MemorySegment segment,
            long byteOffset, Object record) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = copy(arena, mapper, segment, byteOffset);
            mapper.set(copy, 0, record);
            long end = checkEnd(explained, mapper.type(), copy, segment.byteSize() - byteOffset);
            if (segment.isReadOnly()) {
                throw AccessExceptions.readOnly(mapper.type(), segment, byteOffset);
            }
            MemorySegment.copy(copy, 0, segment, byteOffset, end);
        }
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
        long value = PackedInteger.of(member.type()).get(copy, offset + member.byteOffset());
        int position = discriminator.values().indexOf(value);
        if (position < 0 && discriminator.otherwise().isPresent()) {
            position = union.members().size() - 1;
        }
        return position < 0
                ? Long.MAX_VALUE
                : offset + last.byteOffset() + union.members().get(position).type().byteSize();
    }
}
