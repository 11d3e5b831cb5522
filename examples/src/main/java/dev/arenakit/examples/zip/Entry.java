package dev.arenakit.examples.zip;

/// An entry of a zip file.
///
/// @param name           the name, which ends with a slash if the entry is a directory
/// @param size           the size in bytes
/// @param compressedSize the size in the file, in bytes
/// @param crc            the CRC-32
/// @param method         the compression: 0 stored, 8 deflated; possibly other values if the entry is encrypted
/// @param directory      whether the entry is a directory
/// @param encrypted      whether the entry is encrypted
/// @param comment        the comment, or an empty text
public record Entry(String name, long size, long compressedSize, long crc, int method, boolean directory,
        boolean encrypted, String comment) {}
