package dev.arenakit.internal.layout.record;

import dev.arenakit.internal.layout.emit.Descriptors;
import dev.arenakit.internal.layout.emit.HiddenClassBuilder;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// An integer of 1, 2, 4 or 8 bytes that contains only padding and bit fields of one struct, so that a write of one of
/// its bit fields touches no byte of another member.
///
/// @param byteOffset the offset in the outermost struct
/// @param byteSize   the size in bytes
/// @param order      the byte order
record RecordBitUnit(long byteOffset, long byteSize, ByteOrder order) {
    /// Returns the largest unit around a bit field, if there is one. Its offset is a multiple of its size, so that all
    /// bit fields in it have the same unit.
    ///
    /// @param type   the outermost struct
    /// @param offset the offset of the bit field in that struct
    static Optional<RecordBitUnit> find(StructType type, long offset, BitFieldType bits) {
        for (long size = Long.BYTES; size > 0; size /= 2) {
            long start = offset - offset % size;
            if (offset + bits.byteSize() <= start + size && start + size <= type.byteSize()) {
                List<BitFieldType> inside = new ArrayList<>();
                if (collect(type.members(), 0, start, start + size, inside)) {
                    Optional<ByteOrder> order = order(inside);
                    if (order.isPresent()) {
                        return Optional.of(new RecordBitUnit(start, size, order.get()));
                    }
                }
            }
        }
        return Optional.empty();
    }

    /// Adds the bit fields in a range of bytes to a list.
    ///
    /// @return whether there are no other members in the range, and no bit fields that extend over its ends
    private static boolean collect(List<Member> members, long base, long start, long limit,
            List<BitFieldType> inside) {
        for (Member member : members) {
            long from = base + member.byteOffset();
            long to = base + member.limit();
            if (to > start && from < limit) {
                if (member.type() instanceof BitFieldType bits && from >= start && to <= limit) {
                    inside.add(bits);
                } else {
                    // The bit fields of two structs are not one memory location in C.
                    return member.type() instanceof StructType struct && from <= start && limit <= to
                            && collect(struct.members(), from, start, limit, inside);
                }
            }
        }
        return true;
    }

    /// Returns the common order of bit fields, or empty if they have two. A bit field within one byte can be in a unit
    /// of either order.
    private static Optional<ByteOrder> order(List<BitFieldType> inside) {
        Optional<ByteOrder> common = Optional.empty();
        for (BitFieldType bits : inside) {
            if (bits.byteSize() > 1) {
                if (common.isPresent() && common.get() != bits.order()) {
                    return Optional.empty();
                }
                common = Optional.of(bits.order());
            }
        }
        return common.isPresent() ? common : Optional.of(ByteOrder.nativeOrder());
    }

    /// Returns the access to a bit field of this unit.
    ///
    /// @param type   the outermost struct
    /// @param offset the offset of the bit field in that struct
    RecordValueEmitter emitter(HiddenClassBuilder target, StructType type, BitFieldType bits, long offset) {
        long before = offset - byteOffset;
        long below = order == ByteOrder.LITTLE_ENDIAN ? before : byteSize - before - bits.byteSize();
        ValueLayout layout = layout();
        return new RecordValueEmitter.OfUnit(this,
                new RecordValueEmitter.OfHandle(target.constant(VarHandle.class, handle(type, layout)),
                        Descriptors.of(layout.carrier())),
                Byte.SIZE * (int) below + bits.shift(), bits.bitSize(), bits.isSigned());
    }

    /// Returns a VarHandle that makes the same checks as the VarHandles of the other members.
    private VarHandle handle(StructType type, ValueLayout layout) {
        List<MemoryLayout> members = new ArrayList<>();
        if (byteOffset > 0) {
            members.add(MemoryLayout.paddingLayout(byteOffset));
        }
        members.add(layout.withName("unit"));
        long after = type.byteSize() - byteOffset - byteSize;
        if (after > 0) {
            members.add(MemoryLayout.paddingLayout(after));
        }
        StructLayout struct = MemoryLayout.structLayout(members.toArray(new MemoryLayout[0]))
                .withByteAlignment(type.byteAlignment());
        return struct.varHandle(PathElement.groupElement("unit")).withInvokeExactBehavior();
    }

    private ValueLayout layout() {
        ValueLayout natural = byteSize == Long.BYTES
                ? ValueLayout.JAVA_LONG
                : byteSize == Integer.BYTES
                        ? ValueLayout.JAVA_INT
                        : byteSize == Short.BYTES ? ValueLayout.JAVA_SHORT : ValueLayout.JAVA_BYTE;
        return natural.withByteAlignment(1).withOrder(order);
    }
}
