package dev.arenakit.examples.zip;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

import static dev.arenakit.examples.zip.ZipFormat.HEADER_BYTE_SIZE;
import static dev.arenakit.examples.zip.ZipFormat.HEADER_SIGNATURE;
import static dev.arenakit.examples.zip.ZipFormat.LOCAL_SIGNATURE;
import static dev.arenakit.examples.zip.ZipFormat.MAX_16;
import static dev.arenakit.examples.zip.ZipFormat.MAX_32;
import static dev.arenakit.examples.zip.ZipFormat.isAt;
import static dev.arenakit.examples.zip.ZipFormat.signed64;
import static dev.arenakit.examples.zip.ZipFormat.unsigned16;
import static dev.arenakit.examples.zip.ZipFormat.unsigned32;

/// The end record of a zip file, with the values of the ZIP64 end record where there is one.
///
/// @param position          the position of the end record, or of the ZIP64 end record
/// @param entries           the number of entries that the record states
/// @param directoryByteSize the size of the directory, which ends where the record begins
/// @param directoryOffset   the offset of the directory from the beginning of the first local header
record EndRecord(long position, long entries, long directoryByteSize, long directoryOffset) {
    private static final long END_BYTE_SIZE = 22;
    private static final int END_SIGNATURE = 0x06054b50;
    private static final long END_ENTRIES = 10;
    private static final long END_DIRECTORY_SIZE = 12;
    private static final long END_DIRECTORY_OFFSET = 16;
    private static final long END_COMMENT_LENGTH = 20;

    private static final long END64_BYTE_SIZE = 56;
    private static final int END64_SIGNATURE = 0x06064b50;
    private static final long END64_ENTRIES = 32;
    private static final long END64_DIRECTORY_SIZE = 40;
    private static final long END64_DIRECTORY_OFFSET = 48;

    private static final long LOCATOR_BYTE_SIZE = 20;
    private static final int LOCATOR_SIGNATURE = 0x07064b50;
    private static final long LOCATOR_END64_OFFSET = 8;

    /// Covers the end record of most files, whose comment is short.
    private static final long SHORT_TAIL = 512;

    private static final long LONG_TAIL = END_BYTE_SIZE + MAX_16;

    /// Directory sizes are limited as in the JDK, whose byte arrays hold a directory and an end record.
    private static final long MAX_DIRECTORY_BYTE_SIZE = Integer.MAX_VALUE - END_BYTE_SIZE - 1;

    /// Finds the end record. It is the last record whose comment ends at the end of the file. A record with another
    /// comment length is accepted if the directory and a local header are at the recorded positions.
    static EndRecord find(ZipSource source, SegmentAllocator allocator) throws IOException {
        long byteSize = source.byteSize();
        if (byteSize < END_BYTE_SIZE) {
            throw source.malformed("File is too short for a zip file", byteSize);
        }
        long end = byteSize - END_BYTE_SIZE;
        for (long length : new long[]{SHORT_TAIL, LONG_TAIL}) {
            long start = Math.max(0, byteSize - length);
            MemorySegment tail = allocator.allocate(byteSize - start);
            source.readFully(start, tail);
            for (; end >= start; end--) {
                long offset = end - start;
                if (isAt(tail, offset, END_SIGNATURE)) {
                    EndRecord record = of(tail.asSlice(offset), end);
                    long commentEnd = end + END_BYTE_SIZE + unsigned16(tail, offset + END_COMMENT_LENGTH);
                    if (commentEnd == byteSize || record.isConfirmed(source, allocator)) {
                        if (commentEnd > byteSize) {
                            throw source.malformed("Comment would end beyond the end of the file", end);
                        }
                        return record.withZip64(source, allocator).checked(source);
                    }
                }
            }
        }
        throw source.malformed("File has no end record, as zip files have", Math.max(0, byteSize - LONG_TAIL));
    }

    private static EndRecord of(MemorySegment bytes, long position) {
        return new EndRecord(position, unsigned16(bytes, END_ENTRIES), unsigned32(bytes, END_DIRECTORY_SIZE),
                unsigned32(bytes, END_DIRECTORY_OFFSET));
    }

    /// Returns the position of the directory.
    long directoryPosition() {
        return position - directoryByteSize;
    }

    /// Returns the position that offsets count from. It is above 0 if a program precedes the zip file.
    long base() {
        return directoryPosition() - directoryOffset;
    }

    private boolean isConfirmed(ZipSource source, SegmentAllocator allocator) throws IOException {
        return directoryPosition() >= 0 && base() >= 0
                && isSignatureAt(directoryPosition(), HEADER_SIGNATURE, source, allocator)
                && isSignatureAt(base(), LOCAL_SIGNATURE, source, allocator);
    }

    private static boolean isSignatureAt(long position, int signature, ZipSource source, SegmentAllocator allocator)
            throws IOException {
        if (position > source.byteSize() - Integer.BYTES) {
            return false;
        }
        MemorySegment bytes = allocator.allocate(Integer.BYTES);
        source.readFully(position, bytes);
        return isAt(bytes, 0, signature);
    }

    /// Returns the ZIP64 end record if there is one, which is permitted even if no value needs it. As in the JDK, a
    /// ZIP64 end record that contradicts the values of this record is ignored.
    private EndRecord withZip64(ZipSource source, SegmentAllocator allocator) throws IOException {
        long locatorPosition = position - LOCATOR_BYTE_SIZE;
        if (locatorPosition < 0) {
            return this;
        }
        MemorySegment locator = allocator.allocate(LOCATOR_BYTE_SIZE);
        source.readFully(locatorPosition, locator);
        long position64 = signed64(locator, LOCATOR_END64_OFFSET);
        if (!isAt(locator, 0, LOCATOR_SIGNATURE) || position64 < 0
                || position64 > source.byteSize() - END64_BYTE_SIZE) {
            return this;
        }
        MemorySegment bytes = allocator.allocate(END64_BYTE_SIZE);
        source.readFully(position64, bytes);
        EndRecord record = new EndRecord(position64, signed64(bytes, END64_ENTRIES),
                signed64(bytes, END64_DIRECTORY_SIZE), signed64(bytes, END64_DIRECTORY_OFFSET));
        boolean isConsistent = isAt(bytes, 0, END64_SIGNATURE)
                && (entries == MAX_16 || entries == record.entries)
                && (directoryByteSize == MAX_32 || directoryByteSize == record.directoryByteSize)
                && (directoryOffset == MAX_32 || directoryOffset == record.directoryOffset);
        return isConsistent ? record : this;
    }

    private EndRecord checked(ZipSource source) throws IOException {
        if (position == 0) {
            // As in the JDK, a record at the beginning of the file means a file without entries.
            return new EndRecord(0, 0, 0, 0);
        }
        if (directoryByteSize < 0 || directoryByteSize > position) {
            throw source.malformed("Directory is larger than the file before the end record: directoryByteSize="
                    + directoryByteSize, position);
        }
        if (base() < 0 || directoryOffset < 0) {
            throw source.malformed("Directory would begin before the file: directoryOffset=" + directoryOffset,
                    position);
        }
        if (directoryByteSize > MAX_DIRECTORY_BYTE_SIZE) {
            throw source.malformed("Directory is too large: directoryByteSize=" + directoryByteSize
                    + ", maxByteSize=" + MAX_DIRECTORY_BYTE_SIZE, position);
        }
        if (entries < 0 || entries > directoryByteSize / HEADER_BYTE_SIZE) {
            throw source.malformed("Directory is too small for its entries: entries=" + entries
                    + ", directoryByteSize=" + directoryByteSize, position);
        }
        return this;
    }
}
