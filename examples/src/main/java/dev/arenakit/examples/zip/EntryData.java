package dev.arenakit.examples.zip;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

import static dev.arenakit.examples.zip.ZipFormat.LOCAL_SIGNATURE;
import static dev.arenakit.examples.zip.ZipFormat.isAt;
import static dev.arenakit.examples.zip.ZipFormat.unsigned16;

/// The data of one entry. They are read in order and checked: size and CRC must equal the values in the directory.
///
/// The file is read at positions and never through a mapping. If another program truncates the file meanwhile, a read
/// reaches the end of the file, whereas native code that accesses a mapping there would terminate the JVM.
final class EntryData {
    private static final int STORED = 0;
    private static final int DEFLATED = 8;
    private static final long LOCAL_BYTE_SIZE = 30;
    private static final long LOCAL_NAME_LENGTH = 26;
    private static final long LOCAL_EXTRA_LENGTH = 28;

    /// Inflating turns one byte into at most this many bytes.
    private static final long MAX_EXPANSION = 1032;

    /// The extra field of a local header is often longer than the extra field of the directory header, by up to this
    /// many bytes.
    private static final long LOCAL_EXTRA_SLACK = 64;

    /// Buffers of the JDK have an `int` size.
    private static final long MAX_WINDOW = 1 << 30;

    private final ZipSource source;
    private final CentralDirectory directory;
    private final long entry;
    private final Inflation inflation;
    private final boolean deflated;
    private final long size;
    /// The position of the data in the file.
    private final long start;
    /// The position of the bytes that are read next.
    private long next;
    /// The end of the data in the file, exclusive.
    private final long end;
    /// The number of bytes of the entry that have not been read.
    private long left;

    private EntryData(ZipSource source, CentralDirectory directory, long entry, Inflation inflation, long start,
            long next, long end) {
        this.source = source;
        this.directory = directory;
        this.entry = entry;
        this.inflation = inflation;
        this.deflated = directory.method(entry) == DEFLATED;
        this.size = directory.size(entry);
        this.left = size;
        this.start = start;
        this.next = next;
        this.end = end;
    }

    /// Reads the local header of an entry.
    ///
    /// @param inflation the memory to work with; it is in use until the data have been read
    static EntryData open(ZipSource source, CentralDirectory directory, long entry, Inflation inflation)
            throws IOException {
        if (directory.isEncrypted(entry)) {
            throw directory.malformed("Entry is encrypted", entry);
        }
        int method = directory.method(entry);
        if (method != DEFLATED && method != STORED) {
            throw directory.malformed("Entry is neither stored nor deflated: method=" + method, entry);
        }
        long size = directory.size(entry);
        long compressedSize = directory.compressedSize(entry);
        boolean deflated = method == DEFLATED;
        if (deflated ? size / MAX_EXPANSION > compressedSize : size != compressedSize) {
            throw directory.malformed("Entry cannot have this size: size=" + size + ", compressedSize="
                    + compressedSize, entry);
        }
        long local = directory.localHeader(entry);
        if (local < 0 || local > source.byteSize() - LOCAL_BYTE_SIZE) {
            throw directory.malformed("Local header would be beyond the end of the file: localHeader=" + local,
                    entry);
        }
        MemorySegment memory = inflation.memory();
        // A single system call reads the header and the data of small entries.
        long headers = LOCAL_BYTE_SIZE + directory.nameLength(entry) + directory.extraLength(entry)
                + LOCAL_EXTRA_SLACK;
        long available = Math.min(source.byteSize() - local, memory.byteSize());
        long read = Math.min(available, headers + Math.min(compressedSize, available));
        source.readFully(local, memory.asSlice(0, read));
        if (!isAt(memory, 0, LOCAL_SIGNATURE)) {
            throw source.malformed("Local header has another signature", local);
        }
        long header = LOCAL_BYTE_SIZE + unsigned16(memory, LOCAL_NAME_LENGTH)
                + unsigned16(memory, LOCAL_EXTRA_LENGTH);
        long start = local + header;
        if (compressedSize > source.byteSize() - start) {
            throw source.malformed("Data would end beyond the end of the file: compressedSize=" + compressedSize,
                    start);
        }
        long buffered = Math.min(Math.max(0, read - header), compressedSize);
        inflation.buffer().clear();
        inflation.buffer().limit((int) (buffered == 0 ? 0 : header + buffered));
        inflation.buffer().position(buffered == 0 ? 0 : (int) header);
        if (deflated) {
            inflation.inflater().setInput(inflation.buffer());
        }
        return new EntryData(source, directory, entry, inflation, start, start + buffered, start + compressedSize);
    }

    /// Returns the size of the entry.
    long size() {
        return size;
    }

    boolean isDeflated() {
        return deflated;
    }

    /// Checks the data of a stored entry and returns them as a slice of the mapped file.
    MemorySegment mapped() throws IOException {
        while (fill()) {
            left -= inflation.buffer().remaining();
            inflation.crc().update(inflation.buffer());
        }
        checkEnd();
        return source.mapping().asSlice(start, size);
    }

    /// Reads all data into a new segment.
    MemorySegment copy(SegmentAllocator allocator) throws IOException {
        MemorySegment target = allocator.allocate(size);
        for (long done = 0; done < size;) {
            ByteBuffer window = target.asSlice(done, Math.min(size - done, MAX_WINDOW)).asByteBuffer();
            while (window.hasRemaining()) {
                if (read(window) < 0) {
                    throw new AssertionError(entry);
                }
            }
            done += window.position();
        }
        read(ByteBuffer.allocate(1)); // The end of the data, which is checked.
        return target;
    }

    /// Reads bytes. At the end of the entry, the data are checked.
    ///
    /// @return the number of bytes that have been read, at least one unless the target is full; -1 at the end
    int read(ByteBuffer target) throws IOException {
        if (!target.hasRemaining()) {
            return 0;
        }
        int from = target.position();
        int limit = target.limit();
        if (deflated) {
            inflate(target);
        } else if (fill()) {
            ByteBuffer buffer = inflation.buffer();
            int count = Math.min(buffer.remaining(), target.remaining());
            target.put(from, buffer, buffer.position(), count);
            target.position(from + count);
            buffer.position(buffer.position() + count);
        }
        int count = target.position() - from;
        if (count > left) {
            target.position(from);
            throw directory.malformed("Entry has more bytes than its size: size=" + size, entry);
        }
        if (count == 0) {
            checkEnd();
            return -1;
        }
        left -= count;
        target.limit(target.position()).position(from);
        inflation.crc().update(target);
        target.limit(limit);
        return count;
    }

    private void inflate(ByteBuffer target) throws IOException {
        Inflater inflater = inflation.inflater();
        try {
            while (inflater.inflate(target) == 0 && !inflater.finished()) {
                if (inflater.needsDictionary()) {
                    throw source.malformed("Deflated data need a dictionary", start);
                }
                if (!fill()) {
                    throw source.malformed("Deflated data end too early", next);
                }
                inflater.setInput(inflation.buffer());
            }
        } catch (DataFormatException e) {
            throw (ZipException) source.malformed("Deflated data are invalid (" + e.getMessage() + ")",
                    next - inflater.getRemaining()).initCause(e);
        }
    }

    /// Reads the next bytes of the file if the buffer is empty.
    ///
    /// @return whether the buffer has bytes
    private boolean fill() throws IOException {
        ByteBuffer buffer = inflation.buffer();
        if (!buffer.hasRemaining() && next < end) {
            long count = Math.min(end - next, inflation.memory().byteSize());
            buffer.clear().limit(0);
            source.readFully(next, inflation.memory().asSlice(0, count));
            buffer.limit((int) count);
            next += count;
        }
        return buffer.hasRemaining();
    }

    private void checkEnd() throws ZipException {
        if (left != 0) {
            throw directory.malformed("Entry has fewer bytes than its size: size=" + size + ", bytes="
                    + (size - left), entry);
        }
        long crc = inflation.crc().getValue();
        if (crc != directory.crc(entry)) {
            throw directory.malformed("Entry has another CRC: crc=0x%08x, computed=0x%08x"
                    .formatted(directory.crc(entry), crc), entry);
        }
    }
}
