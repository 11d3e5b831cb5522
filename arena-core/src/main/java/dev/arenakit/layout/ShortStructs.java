package dev.arenakit.layout;

import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Structs whose last member is a union, at the end of a segment that ends behind the valid member of the union.
///
/// An access to such a struct fails first. Only then it is repeated in a copy, so that accesses to whole structs do not
/// cost more.
final class ShortStructs {
    private ShortStructs() {}

    /// Returns whether a struct can be shorter than its size.
    static boolean exist(StructType type) {
        if (type.members().isEmpty()) {
            return false;
        }
        MemoryType last = type.members().getLast().type();
        return last instanceof UnionType union
                ? union.discriminator().isPresent()
                        && union.members().stream().anyMatch(member -> member.limit() < union.byteSize())
                : last instanceof StructType struct && exist(struct);
    }

    static Object readAtIndex(RuntimeException e, RecordMapper<?> mapper, @Nullable MemorySegment segment,
            long index) {
        if (segment != null && isShort(e, mapper, segment, index, mapper.byteSize())) {
            return read(AccessExceptions.readAtIndex(e, mapper, segment, index), mapper, segment,
                    index * mapper.byteSize());
        }
        throw AccessExceptions.readAtIndex(e, mapper, segment, index);
    }

    static Object readAtOffset(RuntimeException e, RecordMapper<?> mapper, @Nullable MemorySegment segment,
            long byteOffset) {
        if (segment != null && isShort(e, mapper, segment, byteOffset, 1)) {
            return read(AccessExceptions.readAtOffset(e, mapper, segment, byteOffset), mapper, segment, byteOffset);
        }
        throw AccessExceptions.readAtOffset(e, mapper, segment, byteOffset);
    }

    static void writeAtIndex(RuntimeException e, RecordMapper<Object> mapper, @Nullable MemorySegment segment,
            long index, Object record) {
        if (segment == null || !isShort(e, mapper, segment, index, mapper.byteSize())) {
            throw AccessExceptions.writeAtIndex(e, mapper, segment, index);
        }
        write(AccessExceptions.writeAtIndex(e, mapper, segment, index), mapper, segment, index * mapper.byteSize(),
                record);
    }

    static void writeAtOffset(RuntimeException e, RecordMapper<Object> mapper, @Nullable MemorySegment segment,
            long byteOffset, Object record) {
        if (segment == null || !isShort(e, mapper, segment, byteOffset, 1)) {
            throw AccessExceptions.writeAtOffset(e, mapper, segment, byteOffset);
        }
        write(AccessExceptions.writeAtOffset(e, mapper, segment, byteOffset), mapper, segment, byteOffset, record);
    }

    /// Returns the exception for a view whose struct the segment ends within: the given one, unless a record could be
    /// read there. A view has room for all members of its unions, since it may write any of them.
    static RuntimeException refuseView(RuntimeException explained, StructType type, MemorySegment segment, String place,
            long number, long stride) {
        if (!(explained instanceof IndexOutOfBoundsException) || !exist(type) || number < 0
                || number > segment.byteSize() / stride) {
            return explained;
        }
        long present = segment.byteSize() - number * stride;
        long smallest = smallest(type);
        if (present < smallest || present >= type.byteSize()) {
            return explained;
        }
        RuntimeException better = new IndexOutOfBoundsException("View needs all bytes of the struct, and the segment"
                + " ends within its last union: " + place + ", layout=" + type.name() + ", layout.byteSize="
                + type.byteSize() + ", present=" + present + ", segment.byteSize=" + segment.byteSize()
                + "; read a record, or copy the bytes to memory of the layout");
        better.initCause(explained);
        return better;
    }

    /// The size of a struct without its last union.
    private static long smallest(StructType type) {
        Member last = type.members().getLast();
        return last.byteOffset() + (last.type() instanceof StructType struct ? smallest(struct) : 0);
    }

    /// Returns whether an access failed because only the beginning of the struct is in the segment.
    private static boolean isShort(RuntimeException e, RecordMapper<?> mapper, MemorySegment segment, long number,
            long stride) {
        if (!(e instanceof IndexOutOfBoundsException) || number < 0 || number > segment.byteSize() / stride) {
            return false;
        }
        long byteOffset = number * stride;
        return byteOffset < segment.byteSize() && segment.byteSize() - byteOffset < mapper.byteSize()
                && (segment.address() + byteOffset) % mapper.type().byteAlignment() == 0
                && segment.maxByteAlignment() >= mapper.type().byteAlignment();
    }

    private static Object read(RuntimeException explained, RecordMapper<?> mapper, MemorySegment segment,
            long byteOffset) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = copy(arena, mapper, segment, byteOffset);
            checkEnd(explained, mapper.type(), copy, segment.byteSize() - byteOffset);
            return mapper.get(copy, 0);
        }
    }

    private static void write(RuntimeException explained, RecordMapper<Object> mapper, MemorySegment segment,
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

    private static MemorySegment copy(Arena arena, RecordMapper<?> mapper, MemorySegment segment, long byteOffset) {
        MemorySegment copy = mapper.allocate(arena, 1);
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
