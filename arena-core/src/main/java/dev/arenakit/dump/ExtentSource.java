package dev.arenakit.dump;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;

/// Bytes that are told in runs: stretches of data, and stretches that are zero and that nobody had to read.
///
/// A sparse file of a terabyte with one written page is two runs of zeros and one of data. Whoever takes the runs, a
/// [HexDump] for instance, is done with a run of zeros of any length at once.
@FunctionalInterface
public interface ExtentSource {
    /// Hands a range of the bytes to the sink, in order and without gaps.
    ///
    /// A source that can seek does so; any other reads the bytes to be skipped and drops them.
    ///
    /// @param sink  takes the runs
    /// @param skip  how many bytes to leave out at the beginning
    /// @param limit how many bytes to hand over at most
    /// @return how many bytes were left out at the beginning: `skip`, or all that there are where those are fewer
    /// @throws IOException if the bytes cannot be read, or from the sink
    long transferTo(Sink sink, long skip, long limit) throws IOException;

    /// Takes the runs of a source.
    interface Sink {
        /// Takes bytes, which may change as soon as this method has returned.
        ///
        /// @param bytes the bytes, at least one
        /// @throws IOException if what is made of the bytes cannot be written
        void data(MemorySegment bytes) throws IOException;

        /// Takes zeros.
        ///
        /// @param byteSize how many, at least one
        /// @throws IOException if what is made of the zeros cannot be written
        void zeros(long byteSize) throws IOException;
    }

    /// {@return the bytes of a segment, as one run of data}
    ///
    /// @param segment the segment, which has to be alive and accessible when the bytes are transferred
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

    /// {@return the bytes of a stream up to its end, as data}
    ///
    /// @param stream is read from where it stands, up to the limit or a buffer beyond it, and not closed
    static ExtentSource of(InputStream stream) {
        return new StreamSource(stream);
    }
}
