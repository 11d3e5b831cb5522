package dev.arenakit.tool.diff;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ImageEntries;
import dev.arenakit.tool.structs.StructPieces;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Structs that are compared by their keys.
interface KeyedRows {
    /// Passes all structs in their order.
    void forEach(RowConsumer consumer) throws IOException;

    /// Reads a struct again.
    ///
    /// @param place the place that [#forEach] has passed
    MemorySegment read(long place) throws IOException;

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
    /// @param allocation if the image has not recorded the number of its structs, structs of zeros count as not stored
    record Structs(ExtentSource source, int structByteSize, Allocation allocation) implements KeyedRows {
        @Override
        public void forEach(RowConsumer consumer) throws IOException {
            boolean isCounted = allocation.elementCount().isPresent();
            long count = Math.min(allocation.byteSize() / structByteSize,
                    allocation.elementCount().orElse(Long.MAX_VALUE));
            MemorySegment zeros = MemorySegment.ofArray(new byte[structByteSize]);
            source.transferTo(new StructPieces(structByteSize, 0, isCounted, (first, structs) -> {
                for (long at = 0; at < structs.byteSize(); at += structByteSize) {
                    MemorySegment struct = structs.asSlice(at, structByteSize);
                    if (isCounted || struct.mismatch(zeros) >= 0) {
                        consumer.accept(first + at / structByteSize, first + at / structByteSize, struct);
                    }
                }
            }), 0, count * structByteSize);
        }

        @Override
        public MemorySegment read(long place) throws IOException {
            return RangeComparison.read(source, place * structByteSize, structByteSize);
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
        public MemorySegment read(long place) throws IOException {
            MemorySegment entry = MemorySegment.ofArray(new byte[(int) entries.type().byteSize()]);
            entries.read(place, entry);
            return entry;
        }
    }
}
