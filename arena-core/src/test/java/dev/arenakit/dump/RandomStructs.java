package dev.arenakit.dump;

import dev.arenakit.layout.type.RandomTypes;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;

/// Random structs of all types, bytes for them with ranges of zeros, and sources that divide these bytes into extents.
record RandomStructs(Random random) {
    /// The largest size of a struct, so that a test with hundreds of them is quick.
    private static final long LARGEST = 1 << 10;

    /// A struct of at least one byte.
    StructType struct() {
        StructType struct;
        do {
            struct = RandomTypes.any(random, "S");
        } while (struct.byteSize() == 0 || struct.byteSize() > LARGEST);
        return struct;
    }

    /// Bytes of structs that are zero, hold small numbers, or are noise.
    byte[] bytes(long structByteSize) {
        byte[] bytes = new byte[random.nextInt((int) structByteSize * 12 + 1)];
        for (int at = 0; at < bytes.length;) {
            int end = (int) Math.min(bytes.length, at + structByteSize * random.nextInt(4) + random.nextInt(3));
            int kind = random.nextInt(4);
            for (; at < end; at++) {
                bytes[at] = (byte) (kind < 2 ? 0 : kind == 2 ? random.nextInt(2) : random.nextInt());
            }
        }
        return bytes;
    }

    /// A source of the bytes in several extents, which are overwritten after they have been passed; some zeros are
    /// extents of zeros.
    ExtentSource source(byte[] bytes) {
        return (sink, skip, limit) -> {
            int at = (int) Math.min(skip, bytes.length);
            int end = (int) (limit < bytes.length - at ? at + limit : bytes.length);
            int longest = 1 + random.nextInt(100);
            while (at < end) {
                int next = Math.min(end, at + 1 + random.nextInt(longest));
                byte[] piece = Arrays.copyOfRange(bytes, at, next);
                if (random.nextInt(4) > 0 && Arrays.equals(piece, new byte[piece.length])) {
                    sink.zeros(piece.length);
                } else {
                    sink.data(MemorySegment.ofArray(piece));
                    Arrays.fill(piece, (byte) 0x55);
                }
                at = next;
            }
            return Math.min(skip, bytes.length);
        };
    }
}
