package dev.arenakit.internal.collection.bytes;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.Objects;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// A seeded hash of bytes. The same bytes have the same hash in an array and in a segment.
///
/// A key is a range of an `Object` that is an array of bytes or a segment. A segment over each array would be garbage
/// where the compiler does not remove it.
///
/// The hash is not cryptographic. Its seeds are random, so that keys cannot be chosen in advance to have equal hashes.
public final class BytesHash {
    /*
     * Two words of 8 bytes are each combined with a seed and multiplied, and the halves of the product are folded, as
     * in wyhash and XXH3. Both factors contain a secret, because a constant would allow keys whose product is 0 with
     * any seed.
     */
    private static final VarHandle LONGS = MethodHandles
            .byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder())
            .withInvokeExactBehavior();
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder())
            .withInvokeExactBehavior();

    private final long seed;
    private final long even;
    private final long odd;

    BytesHash(long seed, long even, long odd) {
        this.seed = seed;
        this.even = even;
        this.odd = odd;
    }

    public static BytesHash random() {
        SecureRandom random = new SecureRandom();
        return new BytesHash(random.nextLong(), random.nextLong(), random.nextLong());
    }

    /// Returns the hash of a key.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the array or segment
    public long of(Object key, long offset, long byteSize) {
        if (key instanceof byte[] array) {
            Objects.checkFromIndexSize(offset, byteSize, array.length);
            return ofArray(array, (int) offset, (int) byteSize);
        }
        MemorySegment segment = (MemorySegment) key;
        Objects.checkFromIndexSize(offset, byteSize, segment.byteSize());
        return ofSegment(segment, offset, byteSize);
    }

    private long ofArray(byte[] key, int offset, int byteSize) {
        long state = seed;
        int at = offset;
        int left = byteSize;
        for (; left > 16; left -= 16) {
            state = fold((long) LONGS.get(key, at) ^ even, (long) LONGS.get(key, at + 8) ^ odd ^ state);
            at += 16;
        }
        long first = 0;
        long last = 0;
        if (left >= 8) {
            first = (long) LONGS.get(key, at);
            last = (long) LONGS.get(key, at + left - 8);
        } else if (left >= 4) {
            first = (int) INTS.get(key, at);
            last = (int) INTS.get(key, at + left - 4);
        } else if (left > 0) {
            first = few(key[at], key[at + (left >>> 1)], key[at + left - 1]);
        }
        return finish(first, last, state, byteSize);
    }

    /// Returns the hash of a key, whose range must be within the segment.
    long ofSegment(MemorySegment key, long offset, long byteSize) {
        long state = seed;
        long at = offset;
        long left = byteSize;
        for (; left > 16; left -= 16) {
            state = fold(key.get(JAVA_LONG_UNALIGNED, at) ^ even, key.get(JAVA_LONG_UNALIGNED, at + 8) ^ odd ^ state);
            at += 16;
        }
        long first = 0;
        long last = 0;
        if (left >= 8) {
            first = key.get(JAVA_LONG_UNALIGNED, at);
            last = key.get(JAVA_LONG_UNALIGNED, at + left - 8);
        } else if (left >= 4) {
            first = key.get(JAVA_INT_UNALIGNED, at);
            last = key.get(JAVA_INT_UNALIGNED, at + left - 4);
        } else if (left > 0) {
            first = few(key.get(JAVA_BYTE, at), key.get(JAVA_BYTE, at + (left >>> 1)),
                    key.get(JAVA_BYTE, at + left - 1));
        }
        return finish(first, last, state, byteSize);
    }

    /// Copies a range of an array of bytes or of a segment.
    public static void copy(Object key, long offset, MemorySegment target, long at, long byteSize) {
        if (key instanceof byte[] array) {
            MemorySegment.copy(array, (int) offset, target, JAVA_BYTE, at, (int) byteSize);
        } else {
            MemorySegment.copy((MemorySegment) key, offset, target, at, byteSize);
        }
    }

    /// Returns whether a range of a segment and a key have the same bytes.
    static boolean equal(MemorySegment segment, long at, Object key, long offset, long byteSize) {
        return key instanceof byte[] array
                ? equalArray(segment, at, array, (int) offset, (int) byteSize)
                : equalSegment(segment, at, (MemorySegment) key, offset, byteSize);
    }

    private static boolean equalArray(MemorySegment segment, long at, byte[] key, int offset, int byteSize) {
        int i = 0;
        for (; i <= byteSize - 8; i += 8) {
            if (segment.get(JAVA_LONG_UNALIGNED, at + i) != (long) LONGS.get(key, offset + i)) {
                return false;
            }
        }
        if (i == byteSize) {
            return true;
        }
        if (byteSize >= 8) {
            int last = byteSize - 8;
            return segment.get(JAVA_LONG_UNALIGNED, at + last) == (long) LONGS.get(key, offset + last);
        }
        if (byteSize >= 4) {
            int last = byteSize - 4;
            return segment.get(JAVA_INT_UNALIGNED, at) == (int) INTS.get(key, offset)
                    && segment.get(JAVA_INT_UNALIGNED, at + last) == (int) INTS.get(key, offset + last);
        }
        for (; i < byteSize; i++) {
            if (segment.get(JAVA_BYTE, at + i) != key[offset + i]) {
                return false;
            }
        }
        return true;
    }

    private static boolean equalSegment(MemorySegment segment, long at, MemorySegment key, long offset,
            long byteSize) {
        long i = 0;
        for (; i <= byteSize - 8; i += 8) {
            if (segment.get(JAVA_LONG_UNALIGNED, at + i) != key.get(JAVA_LONG_UNALIGNED, offset + i)) {
                return false;
            }
        }
        if (i == byteSize) {
            return true;
        }
        if (byteSize >= 8) {
            long last = byteSize - 8;
            return segment.get(JAVA_LONG_UNALIGNED, at + last) == key.get(JAVA_LONG_UNALIGNED, offset + last);
        }
        if (byteSize >= 4) {
            long last = byteSize - 4;
            return segment.get(JAVA_INT_UNALIGNED, at) == key.get(JAVA_INT_UNALIGNED, offset)
                    && segment.get(JAVA_INT_UNALIGNED, at + last) == key.get(JAVA_INT_UNALIGNED, offset + last);
        }
        for (; i < byteSize; i++) {
            if (segment.get(JAVA_BYTE, at + i) != key.get(JAVA_BYTE, offset + i)) {
                return false;
            }
        }
        return true;
    }

    private static long few(byte first, byte middle, byte last) {
        return ((first & 0xFFL) << 16) | ((middle & 0xFFL) << 8) | (last & 0xFFL);
    }

    private long finish(long first, long last, long state, long byteSize) {
        return fold(fold(first ^ odd, last ^ even ^ state), seed ^ byteSize);
    }

    private static long fold(long a, long b) {
        return a * b ^ Math.unsignedMultiplyHigh(a, b);
    }
}
