package dev.arenakit.mapped.internal.tree;

import java.nio.ByteBuffer;
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
        /// Big-endian; the last word has zeros behind the key.
        final long[] words;
        final int length;

        OfBytes(long[] words, int length) {
            this.words = words;
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
            byte[] padded = Arrays.copyOf(bytes, (bytes.length + 7) & -8);
            long[] words = new long[padded.length / 8];
            ByteBuffer.wrap(padded).asLongBuffer().get(words);
            return new OfBytes(words, bytes.length);
        }

        public byte[] toBytes() {
            ByteBuffer padded = ByteBuffer.allocate(words.length * 8);
            padded.asLongBuffer().put(words);
            return Arrays.copyOf(padded.array(), length);
        }

        /// The first 4 bytes.
        int prefix() {
            return words.length == 0 ? 0 : (int) (words[0] >>> 32);
        }

        int byteSize() {
            return words.length * 8;
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
            for (int i = 0; i < words.length && i < that.words.length; i++) {
                if (words[i] != that.words[i]) {
                    return Long.compareUnsigned(words[i], that.words[i]);
                }
            }
            return Integer.compare(length, that.length);
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
