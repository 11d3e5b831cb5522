package dev.arenakit.tool.diff;

import dev.arenakit.mapped.ImageEntries;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Structs that are compared by their keys.
interface KeyedRows {
    /// Passes all structs in their order.
    void forEach(RowConsumer consumer) throws IOException;

    /// Reads a struct again.
    ///
    /// @param place the place that [#forEach] has passed
    void read(long place, MemorySegment into) throws IOException;

    /// Accepts a struct, whose bytes are valid until the method returns.
    @FunctionalInterface
    interface RowConsumer {
        /// Accepts a struct.
        ///
        /// @param place says where the struct can be read again
        void accept(long index, long place, MemorySegment bytes) throws IOException;
    }

    /// The structs in the bytes of an allocation. Their places are their indices.
    ///
    /// @param count     the number of structs
    /// @param isCounted whether the image has recorded the number; otherwise, structs of zeros count as not stored
    record InBytes(ComparedRange range, long structByteSize, long count, boolean isCounted) implements KeyedRows {
        private static final int WINDOW = 1 << 17;

        @Override
        public void forEach(RowConsumer consumer) throws IOException {
            long step = Math.max(1, WINDOW / structByteSize);
            MemorySegment window = MemorySegment.ofArray(new byte[(int) (step * structByteSize)]);
            MemorySegment zeros = MemorySegment.ofArray(new byte[(int) structByteSize]);
            for (long index = 0; index < count;) {
                if (!isCounted) {
                    index = Math.max(index, Math.min(count, range.nextData(index * structByteSize) / structByteSize));
                }
                long here = Math.min(step, count - index);
                MemorySegment bytes = window.asSlice(0, here * structByteSize);
                if (here > 0) {
                    range.read(index * structByteSize, bytes);
                }
                for (long i = 0; i < here; i++) {
                    MemorySegment struct = bytes.asSlice(i * structByteSize, structByteSize);
                    if (isCounted || struct.mismatch(zeros) >= 0) {
                        consumer.accept(index + i, index + i, struct);
                    }
                }
                index += here;
            }
        }

        @Override
        public void read(long place, MemorySegment into) throws IOException {
            range.read(place * structByteSize, into);
        }
    }

    /// The entries of a structure.
    record Entries(ImageEntries entries) implements KeyedRows {
        @Override
        public void forEach(RowConsumer consumer) throws IOException {
            long byteSize = entries.type().byteSize();
            long index = 0;
            for (ImageEntries.Cursor cursor = entries.cursor(); cursor.next();) {
                for (int i = 0; i < cursor.count(); i++) {
                    consumer.accept(index++, cursor.position(i), cursor.entries().asSlice(i * byteSize, byteSize));
                }
            }
        }

        @Override
        public void read(long place, MemorySegment into) throws IOException {
            entries.read(place, into);
        }
    }
}
