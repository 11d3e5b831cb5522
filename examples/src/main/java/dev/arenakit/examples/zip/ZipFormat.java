package dev.arenakit.examples.zip;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The records of a zip file. All numbers are little-endian, unsigned and unaligned; sizes and offsets are in bytes.
///
/// ```
/// file:     [anything] { local header, name, extra, data, [data descriptor] } ...
///           { directory header, name, extra, comment } ...
///           [ZIP64 end record] [ZIP64 locator] end record, comment
///
/// local header                      directory header                  extra field
///  0  4 signature "PK\3\4"           0  4 signature "PK\1\2"           0  2 tag
///  4  2 version needed               4  2 version made by              2  2 byte size
///  6  2 flags                        6  2 version needed               4    bytes
///  8  2 method                       8  2 flags
/// 10  4 time and date               10  2 method                      ZIP64 extra field: those of
/// 14  4 CRC-32                      12  4 time and date               these values that are all
/// 18  4 compressed size             16  4 CRC-32                      ones in the header
/// 22  4 size                        20  4 compressed size              8 size
/// 26  2 name length                 24  4 size                         8 compressed size
/// 28  2 extra length                28  2 name length                  8 local header offset
/// 30    name, extra, data           30  2 extra length                 4 disk number
///                                   32  2 comment length
///                                   34  2 disk number
///                                   36  2 internal attributes
///                                   38  4 external attributes
///                                   42  4 local header offset
///                                   46    name, extra, comment
///
/// end record                        ZIP64 end record                  ZIP64 locator
///  0  4 signature "PK\5\6"           0  4 signature "PK\6\6"           0  4 signature "PK\6\7"
///  4  2 disk number                  4  8 size of the rest             4  4 disk number
///  6  2 disk of the directory       12  2 version made by              8  8 ZIP64 end record offset
///  8  2 entries on this disk        14  2 version needed              16  4 number of disks
/// 10  2 entries                     16  4 disk number
/// 12  4 directory size              20  4 disk of the directory
/// 16  4 directory offset            24  8 entries on this disk
/// 20  2 comment length              32  8 entries
/// 22    comment                     40  8 directory size
///                                   48  8 directory offset
/// ```
///
/// Sizes and CRC of the local header are not used: they are zero if a data descriptor follows the data.
final class ZipFormat {
    static final int LOCAL_SIGNATURE = 0x04034b50;
    static final int HEADER_SIGNATURE = 0x02014b50;
    static final long HEADER_BYTE_SIZE = 46;

    /// The largest values of 2 and of 4 bytes. A header contains them if the value is in a ZIP64 record.
    static final int MAX_16 = 0xffff;
    static final long MAX_32 = 0xffff_ffffL;

    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED
            .withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private ZipFormat() {}

    /// Returns an unsigned number of 2 bytes.
    static int unsigned16(MemorySegment bytes, long offset) {
        return Short.toUnsignedInt(bytes.get(SHORT, offset));
    }

    /// Returns an unsigned number of 4 bytes.
    static long unsigned32(MemorySegment bytes, long offset) {
        return Integer.toUnsignedLong(bytes.get(INT, offset));
    }

    /// Returns a number of 8 bytes, which is negative from 2^63.
    static long signed64(MemorySegment bytes, long offset) {
        return bytes.get(LONG, offset);
    }

    /// Returns whether 4 bytes are a signature.
    static boolean isAt(MemorySegment bytes, long offset, int signature) {
        return bytes.get(INT, offset) == signature;
    }
}
