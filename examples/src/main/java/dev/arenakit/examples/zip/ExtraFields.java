package dev.arenakit.examples.zip;

import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.examples.zip.ZipFormat.EXTRA_BYTES;
import static dev.arenakit.examples.zip.ZipFormat.EXTRA_BYTE_SIZE;
import static dev.arenakit.examples.zip.ZipFormat.HEADER_COMPRESSED_SIZE;
import static dev.arenakit.examples.zip.ZipFormat.HEADER_DISK;
import static dev.arenakit.examples.zip.ZipFormat.HEADER_LOCAL_OFFSET;
import static dev.arenakit.examples.zip.ZipFormat.HEADER_SIZE;
import static dev.arenakit.examples.zip.ZipFormat.MAX_16;
import static dev.arenakit.examples.zip.ZipFormat.MAX_32;
import static dev.arenakit.examples.zip.ZipFormat.UNICODE_CRC;
import static dev.arenakit.examples.zip.ZipFormat.UNICODE_TEXT;
import static dev.arenakit.examples.zip.ZipFormat.UNICODE_VERSION;
import static dev.arenakit.examples.zip.ZipFormat.ZIP64_TAG;
import static dev.arenakit.examples.zip.ZipFormat.signed64;
import static dev.arenakit.examples.zip.ZipFormat.unsigned16;
import static dev.arenakit.examples.zip.ZipFormat.unsigned32;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// The extra fields of directory headers, and the ZIP64 field among them.
final class ExtraFields {
    private static final long NONE = -1;

    private ExtraFields() {}

    /// Returns the problem with the extra fields of an entry, or null if there is none.
    static @Nullable String problem(CentralDirectory directory, long position) {
        MemorySegment bytes = directory.bytes();
        int zip64 = zip64ByteSize(bytes, position);
        long end = directory.commentPosition(position);
        if (directory.extraLength(position) == 0) {
            return zip64 == 0 ? null : "Entry has no ZIP64 field";
        }
        for (long field = directory.extraPosition(position); field <= end - EXTRA_BYTE_SIZE;) {
            int length = unsigned16(bytes, field + EXTRA_BYTES);
            long next = field + EXTRA_BYTE_SIZE + length;
            if (next > end) {
                return "Extra field is longer than all extra fields: byteSize=" + length;
            }
            if (unsigned16(bytes, field) == ZIP64_TAG && length != zip64) {
                return "ZIP64 field has another size than its values: byteSize=" + length + ", values=" + zip64;
            }
            field = next;
        }
        if (zip64 > 0 && (directory.size(position) < 0 || directory.compressedSize(position) < 0
                || directory.localOffset(position) < 0)) {
            return "Value of the ZIP64 field is 2^63 or more";
        }
        return null;
    }

    /// Returns the size of the values that must be in the ZIP64 field of an entry.
    private static int zip64ByteSize(MemorySegment bytes, long position) {
        return zip64Bytes(bytes, position + HEADER_SIZE) + zip64Bytes(bytes, position + HEADER_COMPRESSED_SIZE)
                + zip64Bytes(bytes, position + HEADER_LOCAL_OFFSET)
                + (unsigned16(bytes, position + HEADER_DISK) == MAX_16 ? Integer.BYTES : 0);
    }

    static long zip64Size(CentralDirectory directory, long position) {
        return zip64(directory, position, 0);
    }

    static long zip64CompressedSize(CentralDirectory directory, long position) {
        return zip64(directory, position, zip64Bytes(directory.bytes(), position + HEADER_SIZE));
    }

    static long zip64LocalOffset(CentralDirectory directory, long position) {
        MemorySegment bytes = directory.bytes();
        return zip64(directory, position, zip64Bytes(bytes, position + HEADER_SIZE)
                + zip64Bytes(bytes, position + HEADER_COMPRESSED_SIZE));
    }

    private static int zip64Bytes(MemorySegment bytes, long offset) {
        return unsigned32(bytes, offset) == MAX_32 ? Long.BYTES : 0;
    }

    /// Returns a value of the ZIP64 field. If there is no such field, returns the value of the header, which is all
    /// ones.
    private static long zip64(CentralDirectory directory, long position, int offset) {
        MemorySegment bytes = directory.bytes();
        long field = find(directory, position, ZIP64_TAG);
        return field != NONE && offset + Long.BYTES <= unsigned16(bytes, field + EXTRA_BYTES)
                ? signed64(bytes, field + EXTRA_BYTE_SIZE + offset)
                : MAX_32;
    }

    /// Returns the ZIP64 field of an entry, or no bytes if it has none.
    static byte[] zip64Field(CentralDirectory directory, long position) {
        long field = find(directory, position, ZIP64_TAG);
        return field == NONE ? new byte[0] : whole(directory.bytes(), field).toArray(JAVA_BYTE);
    }

    /// Returns the text of a Unicode field of an entry, or null if there is none for the text of the header: a program
    /// that does not know the field may have changed that text.
    ///
    /// @param text the text of the header
    static @Nullable MemorySegment unicode(CentralDirectory directory, long position, int tag, MemorySegment text) {
        long found = find(directory, position, tag);
        if (found == NONE) {
            return null;
        }
        MemorySegment field = whole(directory.bytes(), found);
        if (field.byteSize() <= UNICODE_TEXT || field.get(JAVA_BYTE, EXTRA_BYTE_SIZE) != UNICODE_VERSION) {
            return null;
        }
        CRC32 crc = new CRC32();
        crc.update(text.asByteBuffer());
        MemorySegment unicode = field.asSlice(UNICODE_TEXT);
        boolean isValid = crc.getValue() == unsigned32(field, UNICODE_CRC)
                && EntryNames.utf8(unicode, 0, (int) unicode.byteSize()) != null;
        return isValid ? unicode : null;
    }

    private static MemorySegment whole(MemorySegment bytes, long field) {
        return bytes.asSlice(field, EXTRA_BYTE_SIZE + unsigned16(bytes, field + EXTRA_BYTES));
    }

    /// Returns the position of the first field with a tag, or [#NONE].
    private static long find(CentralDirectory directory, long position, int tag) {
        MemorySegment bytes = directory.bytes();
        long end = directory.commentPosition(position);
        for (long field = directory.extraPosition(position); field <= end - EXTRA_BYTE_SIZE;) {
            if (unsigned16(bytes, field) == tag) {
                return field;
            }
            field += EXTRA_BYTE_SIZE + unsigned16(bytes, field + EXTRA_BYTES);
        }
        return NONE;
    }
}
