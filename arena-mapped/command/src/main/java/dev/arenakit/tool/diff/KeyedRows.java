package dev.arenakit.tool.diff;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
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
    /// @param count     the number of structs
    /// @param isCounted whether the image has recorded the number; otherwise, structs of zeros count as not stored
    record Structs(ExtentSource source, long structByteSize, long count, boolean isCounted) implements KeyedRows {
        static Structs of(ExtentSource source, StructType type, Allocation allocation) {
            long structs = allocation.byteSize() / type.byteSize();
            return new Structs(source, type.byteSize(), Math.min(structs, allocation.elementCount().orElse(structs)),
                    allocation.elementCount().isPresent());
        }

        @Override
        public void forEach(RowConsumer consumer) throws IOException {
            MemorySegment struct = MemorySegment.ofArray(new byte[(int) structByteSize]);
            MemorySegment zeros = MemorySegment.ofArray(new byte[(int) structByteSize]);
            source.transferTo(new ExtentSource.Sink() {
                private long index;
                private long filled;

                @Override
                public void data(MemorySegment bytes) throws IOException {
                    for (long at = 0; at < bytes.byteSize();) {
                        long here = Math.min(structByteSize - filled, bytes.byteSize() - at);
                        MemorySegment.copy(bytes, at, struct, filled, here);
                        at += here;
                        add(here);
                    }
                }

                @Override
                public void zeros(long byteSize) throws IOException {
                    for (long left = byteSize; left > 0;) {
                        if (filled == 0 && !isCounted) {
                            index += left / structByteSize;
                            left %= structByteSize;
                        }
                        long here = Math.min(structByteSize - filled, left);
                        struct.asSlice(filled, here).fill((byte) 0);
                        left -= here;
                        add(here);
                    }
                }

                private void add(long byteSize) throws IOException {
                    filled += byteSize;
                    if (filled == structByteSize) {
                        filled = 0;
                        if (isCounted || struct.mismatch(zeros) >= 0) {
                            consumer.accept(index, index, struct);
                        }
                        index++;
                    }
                }
            }, 0, count * structByteSize);
        }

        @Override
        public MemorySegment read(long place) throws IOException {
            return MemorySegment
                    .ofArray(RangeComparison.bytes(source, place * structByteSize, (int) structByteSize));
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
