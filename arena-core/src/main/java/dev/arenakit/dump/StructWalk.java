package dev.arenakit.dump;

import dev.arenakit.layout.StructType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

/// Tells a visitor what the bytes of structs of one type say, a struct at a time.
final class StructWalk {
    private static final ByteOrder NATIVE = ByteOrder.nativeOrder();

    private final StructType type;
    private final StructStep step;
    private final StructVisitor visitor;
    private final boolean everyElement;

    private MemorySegment bytes = MemorySegment.NULL;
    /// Of the bytes that there are.
    private long byteSize;
    private long byteOffset;

    /// @param everyElement whether arrays and texts are shown in full
    StructWalk(StructType type, StructVisitor visitor, boolean everyElement) {
        this.type = type;
        this.visitor = visitor;
        this.everyElement = everyElement;
        step = new Steps().struct(type);
    }

    /// @param bytes the bytes of the struct, or the first of them where there are no more
    void struct(long index, MemorySegment bytes) throws IOException {
        this.bytes = bytes;
        byteSize = bytes.byteSize();
        byteOffset = index * type.byteSize();
        visitor.beginStruct(type, index, byteOffset, bytes);
        step.members(this, 0);
        visitor.endStruct();
    }

    void zeros(long first, long count) throws IOException {
        visitor.zeros(type, first, count, first * type.byteSize());
    }

    StructVisitor visitor() {
        return visitor;
    }

    boolean everyElement() {
        return everyElement;
    }

    /// The offset in the source of a place in the struct.
    long offset(long at) {
        return byteOffset + at;
    }

    /// How many bytes there are from a place in the struct on.
    long bytesFrom(long at) {
        return Math.max(0, byteSize - at);
    }

    MemorySegment slice(long at, long byteSize) {
        return bytes.asSlice(Math.min(at, this.byteSize), byteSize);
    }

    /// Whether a value is there. Where it is not, the visitor is told so.
    boolean has(long byteSize, long at) throws IOException {
        if (at > this.byteSize - byteSize) {
            visitor.cutOff();
            return false;
        }
        return true;
    }

    /// An integer of 1, 2, 4 or 8 bytes, with its sign.
    long integer(int byteSize, ByteOrder order, long at) {
        boolean swapped = order != NATIVE;
        return switch (byteSize) {
            case 1 -> bytes.get(JAVA_BYTE, at);
            case 2 -> {
                short value = bytes.get(JAVA_SHORT_UNALIGNED, at);
                yield swapped ? Short.reverseBytes(value) : value;
            }
            case 4 -> {
                int value = bytes.get(JAVA_INT_UNALIGNED, at);
                yield swapped ? Integer.reverseBytes(value) : value;
            }
            default -> {
                long value = bytes.get(JAVA_LONG_UNALIGNED, at);
                yield swapped ? Long.reverseBytes(value) : value;
            }
        };
    }
}
