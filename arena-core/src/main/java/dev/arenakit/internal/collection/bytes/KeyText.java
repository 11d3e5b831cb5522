package dev.arenakit.internal.collection.bytes;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Encodes text as UTF-8 into an array that is reused, so that a look-up of text allocates nothing.
///
/// Threads that look up at the same time use different arrays: a thread that finds no spare array creates one.
public final class KeyText {
    private static final VarHandle SPARE;

    static {
        try {
            SPARE = MethodHandles.lookup().findVarHandle(KeyText.class, "spare", byte[].class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// The size of the largest array that is reused, so that a long text does not occupy the heap for the lifetime of
    /// the map.
    private static final int LARGEST_SPARE = 1 << 16;

    /// An array that no thread uses, or null.
    @SuppressWarnings("unused") // It is accessed by its handle.
    private byte @Nullable [] spare = new byte[96];

    /// Returns an array with room for text, which no other thread uses until it is given back.
    public byte[] take(CharSequence text) {
        long byteSize = 3L * text.length();
        byte[] array = (byte[]) SPARE.getAndSet(this, null);
        if (array == null || array.length < byteSize) {
            if (byteSize > Integer.MAX_VALUE - 8) {
                throw new IllegalArgumentException("Text is too long for a key: length=" + text.length());
            }
            array = new byte[(int) byteSize];
        }
        return array;
    }

    public void giveBack(byte[] array) {
        if (array.length <= LARGEST_SPARE) {
            SPARE.setRelease(this, array);
        }
    }

    /// Returns the offset of the entry of a key, or a negative number.
    public long find(GroupedIndex index, CharSequence key) {
        byte[] bytes = take(key);
        long entry = index.find(bytes, 0, encode(key, bytes));
        giveBack(bytes);
        return entry;
    }

    public boolean remove(GroupedIndex index, CharSequence key) {
        byte[] bytes = take(key);
        boolean isRemoved = index.remove(bytes, 0, encode(key, bytes));
        giveBack(bytes);
        return isRemoved;
    }

    /// Writes text as UTF-8, and returns the number of bytes.
    ///
    /// @throws IllegalArgumentException if a surrogate is not part of a pair
    public static int encode(CharSequence text, byte[] target) {
        int at = 0;
        int length = text.length();
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                target[at++] = (byte) c;
            } else if (c < 0x800) {
                target[at++] = (byte) (0xC0 | (c >> 6));
                target[at++] = later(c);
            } else if (!Character.isSurrogate(c)) {
                target[at++] = (byte) (0xE0 | (c >> 12));
                target[at++] = later(c >> 6);
                target[at++] = later(c);
            } else {
                char low = i + 1 < length ? text.charAt(i + 1) : 0;
                if (!Character.isSurrogatePair(c, low)) {
                    throw new IllegalArgumentException("Text has half of a surrogate pair, which UTF-8 cannot express:"
                            + " index=" + i + ", char=0x" + Integer.toHexString(c));
                }
                int point = Character.toCodePoint(c, low);
                target[at++] = (byte) (0xF0 | (point >> 18));
                target[at++] = later(point >> 12);
                target[at++] = later(point >> 6);
                target[at++] = later(point);
                i++;
            }
        }
        return at;
    }

    private static byte later(int bits) {
        return (byte) (0x80 | (bits & 0x3F));
    }

    public static String decode(MemorySegment bytes, long offset, long byteSize) {
        return new String(toArray(bytes, offset, byteSize), StandardCharsets.UTF_8);
    }

    public static byte[] toArray(MemorySegment bytes, long offset, long byteSize) {
        byte[] array = new byte[Math.toIntExact(byteSize)];
        MemorySegment.copy(bytes, JAVA_BYTE, offset, array, 0, array.length);
        return array;
    }
}
