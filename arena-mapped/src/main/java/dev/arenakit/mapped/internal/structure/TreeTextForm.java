package dev.arenakit.mapped.internal.structure;

import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnsignedType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// How a key of bytes is laid out in an entry of the recorded type. [TreeKeyForm] makes the types.
///
/// @param lengthByteSize the size of the length, or 0 if zeros follow the key
/// @param lengthOffset   the offset of the length
/// @param isBigEndian    the byte order of the length
/// @param byteOffset     the offset of the bytes
/// @param byteSize       the largest number of bytes
record TreeTextForm(int lengthByteSize, long lengthOffset, boolean isBigEndian, long byteOffset,
        long byteSize) {
    static TreeTextForm of(MemoryType type) {
        if (type instanceof StringType text) {
            return new TreeTextForm(text.prefixByteSize(), 0, text.prefixOrder() == ByteOrder.BIG_ENDIAN,
                    text.prefixByteSize(), text.byteSize() - text.prefixByteSize());
        }
        if (type instanceof StructType struct && struct.members().size() == 2
                && struct.members().getFirst().type() instanceof UnsignedType length) {
            Member bytes = struct.members().getLast();
            return new TreeTextForm((int) length.byteSize(), struct.members().getFirst().byteOffset(),
                    length.order() == ByteOrder.BIG_ENDIAN, bytes.byteOffset(), bytes.type().byteSize());
        }
        return new TreeTextForm(0, 0, false, 0, type.byteSize());
    }

    void write(byte[] key, MemorySegment into) {
        into.fill((byte) 0);
        for (int i = 0; i < lengthByteSize; i++) {
            int at = isBigEndian ? lengthByteSize - 1 - i : i;
            into.set(ValueLayout.JAVA_BYTE, lengthOffset + at,
                    (byte) (i < Integer.BYTES ? key.length >>> (Byte.SIZE * i) : 0));
        }
        MemorySegment.copy(MemorySegment.ofArray(key), 0, into, byteOffset, Math.min(key.length, byteSize));
    }
}
