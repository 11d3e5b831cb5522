package dev.arenakit.mapped.internal.tree;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;

import static java.nio.charset.StandardCharsets.US_ASCII;

/// A key of a tree.
public abstract sealed class TreeKey implements Comparable<TreeKey> {
    private TreeKey() {}

    /// Compares two keys of the same kind in the order of the tree.
    @Override
    public abstract int compareTo(TreeKey other);

    /// A long.
    public static final class OfLong extends TreeKey {
        long value;

        public OfLong(long value) {
            this.value = value;
        }

        public long value() {
            return value;
        }

        /// Changes this key.
        ///
        /// @return this key
        public OfLong with(long newValue) {
            value = newValue;
            return this;
        }

        @Override
        public int compareTo(TreeKey other) {
            return Long.compare(value, ((OfLong) other).value);
        }

        @Override
        public String toString() {
            return Long.toString(value);
        }
    }

    /// Bytes.
    public static final class OfBytes extends TreeKey {
        private static final VarHandle WORDS = MethodHandles
                .byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN)
                .withInvokeExactBehavior();

        /// Whole words, with zeros behind the key.
        final byte[] padded;
        final int length;

        OfBytes(byte[] padded, int length) {
            this.padded = padded;
            this.length = length;
        }

        /// Makes a key.
        ///
        /// @throws IllegalArgumentException if it is too long
        public static OfBytes of(byte[] bytes) {
            if (bytes.length > TreeFormat.LARGEST_KEY) {
                throw new IllegalArgumentException("Key is too long: byteSize=" + bytes.length + ", largest="
                        + TreeFormat.LARGEST_KEY);
            }
            return new OfBytes(Arrays.copyOf(bytes, (bytes.length + 7) & -8), bytes.length);
        }

        public byte[] toBytes() {
            return Arrays.copyOf(padded, length);
        }

        /// A word of the bytes, which is ordered as they are.
        long word(int index) {
            return (long) WORDS.get(padded, index * Long.BYTES);
        }

        /// The first 4 bytes.
        int prefix() {
            return length == 0 ? 0 : (int) (word(0) >>> 32);
        }

        /// The shortest key that is larger than another one, and not larger than this one, which is larger.
        OfBytes shortestAbove(OfBytes lower) {
            byte[] bytes = toBytes();
            int same = Arrays.mismatch(lower.toBytes(), bytes);
            return same < 0 || same + 1 >= length ? this : of(Arrays.copyOf(bytes, same + 1));
        }

        @Override
        public int compareTo(TreeKey other) {
            OfBytes that = (OfBytes) other;
            // In a damaged page, the bytes behind a key may not be zero, and a search compares whole words.
            int compared = Arrays.compareUnsigned(padded, that.padded);
            return compared != 0 ? compared : Integer.compare(length, that.length);
        }

        /// The text of the key if it is ASCII, or else its bytes.
        @Override
        public String toString() {
            byte[] bytes = toBytes();
            for (byte each : bytes) {
                if (each < ' ' || each > '~') {
                    return "0x" + HexFormat.of().formatHex(bytes);
                }
            }
            return '"' + new String(bytes, US_ASCII) + '"';
        }
    }
}
