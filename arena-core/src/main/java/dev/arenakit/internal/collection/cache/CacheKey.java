package dev.arenakit.internal.collection.cache;

import dev.arenakit.internal.collection.bytes.BytesHash;
import dev.arenakit.internal.collection.bytes.KeyText;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// A key of any form with its hash, in an object that is used for one operation after the other.
public final class CacheKey {
    /// The size of the largest buffer that is kept, so that a long text does not occupy the heap.
    private static final int LARGEST_BUFFER = 1 << 16;
    private static final int BUFFER = 96;

    private final BytesHash hashes;
    private byte[] buffer = new byte[BUFFER];
    private MemorySegment bufferSegment = MemorySegment.ofArray(buffer);
    /// An array of bytes or a segment.
    Object bytes = buffer;
    long offset;
    long byteSize;
    long hash;

    public CacheKey(BytesHash hashes) {
        this.hashes = hashes;
    }

    /// Sets the key to a range of an array of bytes or of a segment.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the array or segment
    public CacheKey of(Object range, long rangeOffset, long rangeByteSize) {
        hash = hashes.of(range, rangeOffset, rangeByteSize);
        bytes = range;
        offset = rangeOffset;
        byteSize = rangeByteSize;
        return this;
    }

    public CacheKey of(long number) {
        bufferSegment.set(JAVA_LONG_UNALIGNED, 0, number);
        return of(buffer, 0, Long.BYTES);
    }

    public CacheKey of(CharSequence text) {
        long most = 3L * text.length();
        if (most > buffer.length) {
            buffer = new byte[Math.toIntExact(most)];
            bufferSegment = MemorySegment.ofArray(buffer);
        }
        return of(buffer, 0, KeyText.encode(text, buffer));
    }

    /// Forgets the bytes of the caller.
    ///
    /// @return whether the object is small enough to be kept
    public boolean clear() {
        bytes = buffer;
        return buffer.length <= LARGEST_BUFFER;
    }

    /// Returns the lowest of the bits of the hash that are independent of the position in a hash table.
    public int shard(int shards) {
        return (int) (hash >>> Integer.SIZE) & (shards - 1);
    }

    CacheKey copy() {
        return new CacheKey(hashes).of(range().toArray(JAVA_BYTE), 0, byteSize);
    }

    private MemorySegment range() {
        return (bytes instanceof byte[] array ? MemorySegment.ofArray(array) : (MemorySegment) bytes)
                .asSlice(offset, byteSize);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof CacheKey key && hash == key.hash && range().mismatch(key.range()) < 0;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(hash);
    }
}
