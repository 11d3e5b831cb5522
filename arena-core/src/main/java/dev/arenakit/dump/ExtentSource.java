package dev.arenakit.dump;

import dev.arenakit.internal.dump.StreamExtentSource;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;

/// A source of bytes that distinguishes extents of data from extents of zeros, which need not be read.
///
/// A sparse file of a terabyte with one written page consists of two extents of zeros and one extent of data. A
/// [HexDump], for example, processes an extent of zeros of any length in constant time.
@FunctionalInterface
public interface ExtentSource {
    /// Passes a range of the bytes to a sink, in order and without gaps.
    ///
    /// A source that can seek does so; any other source reads the bytes to be skipped and discards them.
    ///
    /// @param sink  the sink
    /// @param skip  the number of bytes to skip at the beginning
    /// @param limit the largest number of bytes to pass
    /// @return the number of bytes that were skipped: `skip`, or the size of the source if the source is smaller
    /// @throws IOException if the bytes cannot be read, or if the sink throws an `IOException`
    long transferTo(Sink sink, long skip, long limit) throws IOException;

    /// Receives the extents of a source.
    interface Sink {
        /// Receives an extent of data. The bytes may change as soon as this method has returned.
        ///
        /// @param bytes the bytes, at least one
        /// @throws IOException if the output cannot be written
        void data(MemorySegment bytes) throws IOException;

        /// Receives an extent of zeros.
        ///
        /// @param byteSize the size of the extent in bytes, at least 1
        /// @throws IOException if the output cannot be written
        void zeros(long byteSize) throws IOException;
    }

    /// {@return a source of the bytes of a segment, as one extent of data}
    ///
    /// @param segment the segment, which must be alive and accessible when the bytes are transferred
    static ExtentSource of(MemorySegment segment) {
        return (sink, skip, limit) -> {
            long skipped = Math.min(skip, segment.byteSize());
            long byteSize = Math.min(limit, segment.byteSize() - skipped);
            if (byteSize > 0) {
                sink.data(segment.asSlice(skipped, byteSize));
            }
            return skipped;
        };
    }

    /// {@return a source of the remaining bytes of a stream, as data}
    ///
    /// @param stream the stream, which is read up to the limit of the transfer or to its end, and not closed
    static ExtentSource of(InputStream stream) {
        return new StreamExtentSource(stream);
    }
}
