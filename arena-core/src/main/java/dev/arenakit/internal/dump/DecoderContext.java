package dev.arenakit.internal.dump;

import dev.arenakit.dump.StructVisitor;
import dev.arenakit.layout.type.StoredInteger;
import dev.arenakit.layout.type.StructType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.function.ToLongFunction;

/// The bytes that decoders read, and the visitor that receives the values. A context decodes one struct at a time; all
/// structs have one type.
public final class DecoderContext {
    private final StructType type;
    private final StructDecoder decoder;
    private final StructVisitor visitor;
    private final boolean everyElement;

    private MemorySegment bytes = MemorySegment.NULL;
    /// The number of existing bytes of the struct.
    private long byteSize;
    /// The offset of the struct in the source.
    private long byteOffset;

    /// @param everyElement whether arrays and texts are shown in full
    /// @param bases        the sizes of allocations by their names, and of the memory that is shown by ""
    public DecoderContext(StructType type, StructVisitor visitor, boolean everyElement,
            ToLongFunction<String> bases) {
        this.type = type;
        this.visitor = visitor;
        this.everyElement = everyElement;
        decoder = new Decoders(type, bases).struct(type);
    }

    /// Decodes a struct.
    ///
    /// @param bytes the bytes of the struct, fewer than its size if the source ends within it
    public void decode(long index, MemorySegment bytes) throws IOException {
        this.bytes = bytes;
        byteSize = bytes.byteSize();
        byteOffset = index * type.byteSize();
        visitor.beginStruct(type, index, byteOffset, bytes);
        decoder.decodeMembers(this, 0);
        visitor.endStruct();
    }

    /// Reports structs that are all zero.
    void zeros(long first, long count) throws IOException {
        visitor.zeros(type, first, count, first * type.byteSize());
    }

    StructVisitor visitor() {
        return visitor;
    }

    boolean everyElement() {
        return everyElement;
    }

    /// Converts an offset in the struct to an offset in the source.
    long offset(long at) {
        return byteOffset + at;
    }

    /// The number of bytes from an offset in the struct to the end of the bytes.
    long bytesFrom(long at) {
        return Math.max(0, byteSize - at);
    }

    MemorySegment slice(long at, long byteSize) {
        return bytes.asSlice(Math.min(at, this.byteSize), byteSize);
    }

    /// Whether the bytes contain all of a value. If they do not, this tells the visitor that the value is cut off.
    boolean contains(long byteSize, long at) throws IOException {
        if (at > this.byteSize - byteSize) {
            visitor.cutOff();
            return false;
        }
        return true;
    }

    /// Reads an integer. All its bytes must exist.
    long read(StoredInteger integer, long at) {
        return integer.get(bytes, at);
    }
}
