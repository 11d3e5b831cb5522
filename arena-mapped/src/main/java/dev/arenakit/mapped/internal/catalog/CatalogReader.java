package dev.arenakit.mapped.internal.catalog;

import dev.arenakit.mapped.CatalogLevel;
import dev.arenakit.mapped.OwnerRecord;
import dev.arenakit.mapped.internal.files.FileExtentSource;
import dev.arenakit.mapped.internal.files.OpenedFile;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.mapped.internal.catalog.CatalogFormat.INT;
import static dev.arenakit.mapped.internal.catalog.CatalogFormat.LINE;
import static dev.arenakit.mapped.internal.catalog.CatalogFormat.LONG;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Reads a catalog, which its owner may be writing. Nothing is used before its checksum is verified. The file is not
/// mapped, so that a file that is truncated meanwhile ends early. Not thread-safe.
public final class CatalogReader implements Closeable {
    /// The number of cached texts, a power of two. A name is used once, by an entry close to it, and a type many times.
    private static final int TEXTS = 64;
    private static final int TEXT_WINDOW = 1 << 13;
    /// A version above this number counts as damaged.
    private static final int LARGEST_VERSION = 255;

    private final Path file;
    private final OpenedFile opened;
    private final long boot;
    private final CatalogWindow header;
    private @Nullable CatalogWindow textWindow;
    private @Nullable CatalogWindow scanWindow;
    /// Finds the holes of the file; null until a scan reaches a large range of empty lines.
    private @Nullable FileExtentSource holes;
    /// The texts that were read last, in sets of two. The first text of a set was used last.
    private final CatalogEntry.Text[] texts = new CatalogEntry.Text[TEXTS];

    private CatalogReader(Path file, long boot) throws IOException {
        this.file = file;
        this.boot = boot;
        opened = OpenedFile.toRead(file);
        header = new CatalogWindow(opened, CatalogFormat.FIRST_ENTRY);
        Arrays.fill(texts, CatalogEntry.Text.NONE);
    }

    /// Opens a catalog.
    ///
    /// @throws IOException if there is no catalog, it cannot be read, or it has another version
    public static CatalogReader open(Path file) throws IOException {
        return open(file, BootId.current());
    }

    /// Opens a catalog, whose counts are valid if they were stored in a boot of the machine.
    public static CatalogReader open(Path file, long boot) throws IOException {
        CatalogReader reader = new CatalogReader(file, boot);
        try {
            reader.checkVersion();
            return reader;
        } catch (Throwable t) {
            reader.close();
            throw t;
        }
    }

    /// Opens a copy that has no header yet. Its entries end where the file ends.
    public static CatalogReader openEntries(Path file) throws IOException {
        return openEntries(file, BootId.current());
    }

    /// Opens a copy that has no header yet, whose counts are valid if they were stored in a boot of the machine.
    public static CatalogReader openEntries(Path file, long boot) throws IOException {
        return new CatalogReader(file, boot);
    }

    /// Opens a catalog whose header may be damaged.
    ///
    /// @throws IOException if there is no catalog, it cannot be read, or a later version has written it
    public static CatalogReader openDamaged(Path file) throws IOException {
        CatalogReader reader = openEntries(file);
        try {
            reader.header.refill(0);
            int version = reader.header.bytes().get(INT, CatalogFormat.VERSION_AT);
            // The checksum does not cover the version. Versions are small numbers.
            if (reader.isHeaderIntact() && reader.hasMagic() && version > 0 && version <= LARGEST_VERSION) {
                reader.checkVersion();
            }
            return reader;
        } catch (Throwable t) {
            reader.close();
            throw t;
        }
    }

    private boolean hasMagic() {
        return header.bytes().get(LONG, 0) == CatalogFormat.MAGIC;
    }

    /// Whether line 0, as it was last read, is undamaged.
    public boolean isHeaderSound() {
        int version = header.bytes().get(INT, CatalogFormat.VERSION_AT);
        return isHeaderIntact() && hasMagic() && version >= CatalogFormat.OLDEST_VERSION
                && version <= CatalogFormat.VERSION;
    }

    private void checkVersion() throws IOException {
        header.refill(0);
        if (!hasMagic()) {
            throw new IOException("No catalog of an image: path=" + file
                    + "; if it was one, arena repair writes its header anew");
        }
        int version = header.bytes().get(INT, CatalogFormat.VERSION_AT);
        if (version < CatalogFormat.OLDEST_VERSION || version > CatalogFormat.VERSION) {
            throw new IOException("Catalog of another version: path=" + file + ", version=" + version + ", supported="
                    + CatalogFormat.OLDEST_VERSION + ".." + CatalogFormat.VERSION
                    + "; read it with the release that wrote it, or a later one");
        }
    }

    /// The boot of the machine.
    public long boot() {
        return boot;
    }

    public Path file() {
        return file;
    }

    /// Whether the checksum of line 0 is valid.
    public boolean isHeaderIntact() {
        MemorySegment bytes = header.bytes();
        return bytes.get(LONG, CatalogFormat.CHECKSUM) == CatalogFormat.headerChecksum(bytes);
    }

    /// Checks that the header is not damaged.
    ///
    /// @throws IOException if the header is damaged
    public void checkHeader() throws IOException {
        if (!isHeaderIntact()) {
            throw new IOException("Header of the catalog is damaged: path=" + file);
        }
    }

    public boolean isChunked() {
        return header.bytes().get(INT, CatalogFormat.CHUNKED_AT) != 0;
    }

    public long chunkByteSize() {
        return header.bytes().get(LONG, CatalogFormat.CHUNK_SIZE_AT);
    }

    public CatalogLevel level() {
        return header.bytes().get(INT, CatalogFormat.FULL_AT) == 0 ? CatalogLevel.SIZES : CatalogLevel.FULL;
    }

    public boolean isLittleEndian() {
        return header.bytes().get(INT, CatalogFormat.BYTE_ORDER_AT) != CatalogFormat.BIG_ENDIAN;
    }

    /// The end of the reserved lines now, in bytes. If the high-water mark is damaged, it is the end of the file.
    long end() throws IOException {
        header.refill(0);
        return isHighWaterValid() ? Math.min(byteSize(), highWater()) : byteSize();
    }

    /// The size of the lines in the file, without the lines behind the largest catalog.
    public long byteSize() throws IOException {
        return Math.clamp(opened.size() & -LINE, CatalogFormat.FIRST_ENTRY, CatalogFormat.LARGEST);
    }

    /// The offset of the first byte at or after an offset that may not be zero, or the largest size of a catalog if
    /// there is none. If holes are not known, all bytes count as data.
    long nextData(long byteOffset) throws IOException {
        FileExtentSource known = holes;
        if (known == null) {
            known = FileExtentSource.open(file);
            holes = known;
        }
        return known.nextData(byteOffset).orElse(CatalogFormat.LARGEST);
    }

    /// Whether the high-water mark, as it was last read, has a possible value.
    public boolean isHighWaterValid() {
        long mark = highWater();
        return mark >= CatalogFormat.FIRST_ENTRY && mark <= CatalogFormat.LARGEST && mark % LINE == 0;
    }

    public long highWater() {
        return CatalogFormat.end(header.bytes().get(LONG, CatalogFormat.MARK_AT));
    }

    /// A copy of the header, as it was last read, for a catalog with another end and another number of files.
    public MemorySegment header(long end, int files) {
        MemorySegment copy = Arena.ofAuto().allocate(CatalogFormat.FIRST_ENTRY, Long.BYTES).copyFrom(header.bytes());
        copy.set(LONG, CatalogFormat.MARK_AT, end);
        copy.set(INT, CatalogFormat.FILES_AT, files);
        return copy;
    }

    /// The window that all scans share. It is made empty. Mostly one scan is read at a time.
    ///
    /// @param byteSize the same size each time
    CatalogWindow window(long byteSize) {
        CatalogWindow window = scanWindow;
        if (window == null) {
            window = new CatalogWindow(opened, byteSize);
            scanWindow = window;
        }
        window.clear();
        return window;
    }

    /// A window of its own for a reader that reads the same lines again and again.
    CatalogWindow newWindow(long byteSize) {
        return new CatalogWindow(opened, byteSize);
    }

    /// The text that begins in a line, or null if there is none or it is damaged.
    public CatalogEntry.@Nullable Text text(int line) throws IOException {
        CatalogWindow window = textWindow;
        if (window == null) {
            window = new CatalogWindow(opened, TEXT_WINDOW);
            textWindow = window;
        }
        return text(line, window);
    }

    /// Reads the text that begins in a line through a window, unless it is cached.
    CatalogEntry.@Nullable Text text(int line, CatalogWindow window) throws IOException {
        if (line == 0) {
            return CatalogEntry.Text.NONE;
        }
        if (line < 0) {
            return null;
        }
        int first = (2 * line) & (TEXTS - 1);
        CatalogEntry.Text latest = texts[first];
        if (latest.line() == line) {
            return latest;
        }
        CatalogEntry.Text found = texts[first + 1].line() == line ? texts[first + 1] : readText(line, window);
        if (found == null) {
            // The text may have been incomplete when it was read.
            window.refill(line * LINE);
            found = readText(line, window);
        }
        if (found != null) {
            texts[first] = found;
            texts[first + 1] = latest;
        }
        return found;
    }

    private CatalogEntry.@Nullable Text readText(int line, CatalogWindow window) throws IOException {
        long position = line * LINE;
        long at = window.at(position, LINE);
        MemorySegment bytes = window.bytes();
        int byteSize = bytes.get(INT, at + CatalogFormat.TEXT_SIZE);
        long checksum = bytes.get(LONG, at + CatalogFormat.TEXT_CHECKSUM);
        if (bytes.get(INT, at) != line || bytes.get(JAVA_BYTE, at + CatalogFormat.KIND) != CatalogFormat.KIND_TEXT
                || byteSize < 0 || byteSize > CatalogFormat.LARGEST_TEXT) {
            return null;
        }
        byte[] text = new byte[byteSize];
        if (CatalogFormat.TEXT_BYTES + byteSize <= bytes.byteSize()) {
            at = window.at(position, CatalogFormat.TEXT_BYTES + byteSize);
            MemorySegment.copy(bytes, JAVA_BYTE, at + CatalogFormat.TEXT_BYTES, text, 0, byteSize);
        } else {
            read(text, position + CatalogFormat.TEXT_BYTES);
        }
        return CatalogFormat.checksum(text) == checksum
                ? new CatalogEntry.Text(line, text, checksum)
                : null;
    }

    private void read(byte[] text, long position) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(text);
        while (buffer.hasRemaining() && opened.read(buffer, position + buffer.position()) > 0) {
            // If the file ends early, the checksum is wrong.
        }
    }

    /// The processes that have owned the image, in the order in which they opened it.
    public List<OwnerRecord> owners() throws IOException {
        List<OwnerRecord> owners = new ArrayList<>();
        CatalogScan scan = CatalogScan.ofOwners(this);
        for (CatalogEntry entry = scan.next(); entry != null; entry = scan.next()) {
            if (entry instanceof CatalogEntry.Opened(long pid, long started, long opened, String jvm, int state)) {
                owners.add(new OwnerRecord(pid, CatalogFormat.instant(started), CatalogFormat.instant(opened), jvm,
                        state == CatalogFormat.STATE_ENDED));
            }
        }
        return owners;
    }

    @Override
    public void close() throws IOException {
        try (opened; FileExtentSource _ = holes) {
            holes = null;
        }
    }
}
