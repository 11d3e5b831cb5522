package dev.arenakit.examples.zip;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

import static java.nio.charset.StandardCharsets.UTF_8;

/// A zip file that is written field by field, so that tests can write files that no program writes.
final class RawZip {
    static final int UTF_8_FLAG = 1 << 11;
    static final int DESCRIPTOR_FLAG = 1 << 3;
    static final int ENCRYPTED_FLAG = 1;

    private static final int MAX_16 = 0xffff;
    private static final int MAX_32 = 0xffff_ffff;

    private final ByteArrayOutputStream file = new ByteArrayOutputStream();
    private final ByteArrayOutputStream directory = new ByteArrayOutputStream();
    private final int base;
    private int entries;
    private boolean zip64;
    private boolean zip64End;
    private OptionalInt otherMethod = OptionalInt.empty();

    private RawZip(byte[] before) {
        file.writeBytes(before);
        base = before.length;
    }

    static RawZip empty() {
        return new RawZip(new byte[0]);
    }

    /// Begins a file that has a program before the first entry.
    static RawZip after(byte[] program) {
        return new RawZip(program);
    }

    /// Writes a ZIP64 end record, and ZIP64 fields for the entries that follow.
    RawZip zip64() {
        zip64 = true;
        return withZip64End();
    }

    /// Writes a ZIP64 end record, even if no value needs it: a program that writes to a stream cannot know in advance.
    RawZip withZip64End() {
        zip64End = true;
        return this;
    }

    /// Says that the entries that follow are compressed by a method.
    RawZip withMethod(int method) {
        otherMethod = OptionalInt.of(method);
        return this;
    }

    RawZip stored(String name, byte[] content) {
        return entry(name.getBytes(UTF_8), content, false, UTF_8_FLAG, "");
    }

    RawZip deflated(String name, byte[] content) {
        return entry(name.getBytes(UTF_8), content, true, UTF_8_FLAG, "");
    }

    /// Adds an entry.
    ///
    /// @param flags   the flags; with [#DESCRIPTOR_FLAG], a data descriptor follows the data
    /// @param comment the comment of the entry
    RawZip entry(byte[] name, byte[] content, boolean deflate, int flags, String comment) {
        CRC32 crc = new CRC32();
        crc.update(content);
        byte[] data = deflate ? deflate(content) : content;
        int method = otherMethod.orElse(deflate ? 8 : 0);
        int offset = file.size() - base;
        boolean later = (flags & DESCRIPTOR_FLAG) != 0;
        file.writeBytes(record(30 + name.length).putInt(0x04034b50)
                .putShort((short) 20)
                .putShort((short) flags)
                .putShort((short) method)
                .putInt(0x21)
                .putInt(later ? 0 : (int) crc.getValue())
                .putInt(later ? 0 : data.length)
                .putInt(later ? 0 : content.length)
                .putShort((short) name.length)
                .putShort((short) 0)
                .put(name)
                .array());
        file.writeBytes(data);
        if (later) {
            file.writeBytes(record(16).putInt(0x08074b50)
                    .putInt((int) crc.getValue())
                    .putInt(data.length)
                    .putInt(content.length)
                    .array());
        }
        byte[] fields = zip64
                ? record(28).putShort((short) 1)
                        .putShort((short) 24)
                        .putLong(content.length)
                        .putLong(data.length)
                        .putLong(offset)
                        .array()
                : new byte[0];
        byte[] commentBytes = comment.getBytes(UTF_8);
        directory.writeBytes(record(46 + name.length + fields.length + commentBytes.length).putInt(0x02014b50)
                .putShort((short) 20)
                .putShort((short) 20)
                .putShort((short) flags)
                .putShort((short) method)
                .putInt(0x21)
                .putInt((int) crc.getValue())
                .putInt(zip64 ? MAX_32 : data.length)
                .putInt(zip64 ? MAX_32 : content.length)
                .putShort((short) name.length)
                .putShort((short) fields.length)
                .putShort((short) commentBytes.length)
                .putShort((short) 0)
                .putShort((short) 0)
                .putInt(0)
                .putInt(zip64 ? MAX_32 : offset)
                .put(name)
                .put(fields)
                .put(commentBytes)
                .array());
        entries++;
        return this;
    }

    /// Ends the file.
    byte[] end(String comment) {
        int start = file.size();
        file.writeBytes(directory.toByteArray());
        int end64 = file.size();
        if (zip64End) {
            file.writeBytes(record(76).putInt(0x06064b50)
                    .putLong(44)
                    .putShort((short) 45)
                    .putShort((short) 45)
                    .putInt(0)
                    .putInt(0)
                    .putLong(entries)
                    .putLong(entries)
                    .putLong(directory.size())
                    .putLong(start - base)
                    .putInt(0x07064b50)
                    .putInt(0)
                    .putLong(end64)
                    .putInt(1)
                    .array());
        }
        byte[] commentBytes = comment.getBytes(UTF_8);
        file.writeBytes(record(22 + commentBytes.length).putInt(0x06054b50)
                .putInt(0)
                .putShort((short) (zip64 ? MAX_16 : entries))
                .putShort((short) (zip64 ? MAX_16 : entries))
                .putInt(zip64 ? MAX_32 : directory.size())
                .putInt(zip64 ? MAX_32 : start - base)
                .putShort((short) commentBytes.length)
                .put(commentBytes)
                .array());
        return file.toByteArray();
    }

    private static ByteBuffer record(int byteSize) {
        return ByteBuffer.allocate(byteSize).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static byte[] deflate(byte[] content) {
        try (Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true)) {
            deflater.setInput(content);
            deflater.finish();
            byte[] target = new byte[content.length + content.length / 100 + 64];
            int length = deflater.deflate(target);
            return Arrays.copyOf(target, length);
        }
    }
}
