package dev.arenakit.examples.zip;

import dev.arenakit.MallocArena;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.nio.file.Path;
import java.util.function.Supplier;

/// An index of the entries of a zip or jar file, in off-heap memory.
///
/// It does what [java.util.zip.ZipFile] does, without objects for entries: a lookup gives the *position* of an entry,
/// which is a number, and the methods that take a position read the copy of the file's directory that the index holds.
/// Neither a lookup nor those methods make garbage, except for the texts and records that they return.
///
/// **Files.** ZIP64; entries that are stored or deflated, with data descriptors or without; names in UTF-8; comments;
/// anything before the first entry. Entries that are encrypted, or
/// compressed by another method, are listed and cannot be read. If several entries have the same name, the last one is
/// found. Opening a malformed file throws a [java.util.zip.ZipException] with the offset and the reason, as `ZipFile`
/// does. In addition, size and CRC of an entry are checked when it is read.
///
/// **Memory.** The index takes memory from malloc: the directory of the file, and 25 to 35 bytes for each entry.
/// Reading takes an inflater and a buffer of 64 KiB, which are reused.
///
/// **Lifetime.** The index lives until [#close()], which frees the memory. Later access through a position or a segment
/// of the file throws an [IllegalStateException].
///
/// **Threads.** Any number of threads may use an index of [#open(Path)] at the same time. An index of
/// [#openConfined(Path)] belongs to the thread that opened it, and takes less time to close. A thread that is
/// interrupted while it reads gets a [java.nio.channels.ClosedByInterruptException]; other threads are not affected.
///
/// **A file that changes.** Directory and deflated entries are read with positional reads: if another program truncates
/// the file, reading throws an [IOException]. Only the segment of a stored entry is the mapped file itself. If the file
/// is truncated, an access beyond its new end throws an [InternalError], and terminates the JVM if native code makes
/// the access.
///
/// **Native access** is required: `--enable-native-access=dev.arenakit`, or `ALL-UNNAMED` on the class path.
///
/// {@snippet :
/// try (ZipIndex index = ZipIndex.open(path); Arena arena = Arena.ofConfined()) {
///     long position = index.find("META-INF/MANIFEST.MF");
///     if (position != ZipIndex.NOT_FOUND) {
///         MemorySegment manifest = index.read(position, arena);
///     }
/// }
/// }
public final class ZipIndex implements AutoCloseable {
    /// The position of an entry that does not exist: -1.
    public static final long NOT_FOUND = ZipEntryTable.NOT_FOUND;

    private final MallocArena arena;
    private final ZipSource source;
    private final CentralDirectory directory;
    private final ZipEntryTable table;
    private final InflationPool inflations;

    private ZipIndex(MallocArena arena, ZipSource source, ZipEntryTable table) {
        this.arena = arena;
        this.source = source;
        this.directory = table.directory();
        this.table = table;
        this.inflations = new InflationPool(arena);
    }

    /// Opens a file for any number of threads. Closing takes tens of microseconds, for a handshake with all threads.
    ///
    /// @param path the zip file
    /// @return the index, to be closed
    /// @throws java.util.zip.ZipException if the file is not a zip file, or is malformed
    /// @throws IOException                if it cannot be read
    public static ZipIndex open(Path path) throws IOException {
        return open(path, MallocArena::ofShared);
    }

    /// Opens a file for this thread, as [#open(Path)] does for all threads.
    ///
    /// @param path the zip file
    /// @return the index, which this thread must close
    /// @throws IOException if it cannot be read, is no zip file, or is malformed
    public static ZipIndex openConfined(Path path) throws IOException {
        return open(path, MallocArena::ofConfined);
    }

    private static ZipIndex open(Path path, Supplier<MallocArena> arenas) throws IOException {
        MallocArena arena = arenas.get();
        try {
            ZipSource source = ZipSource.open(path, arena);
            try {
                return open(source, arena);
            } catch (Throwable t) {
                source.close();
                throw t;
            }
        } catch (Throwable t) {
            arena.close();
            throw t;
        }
    }

    private static ZipIndex open(ZipSource source, MallocArena arena) throws IOException {
        EndRecord end;
        try (MallocArena temporary = MallocArena.ofConfined()) {
            end = EndRecord.find(source, temporary);
        }
        return new ZipIndex(arena, source, ZipEntryTable.read(source, end, arena));
    }

    /// {@return the number of entries}
    public long size() {
        return table.size();
    }

    /// {@return the position of the first entry of the directory, or -1 if there are no entries}
    public long first() {
        return size() == 0 ? NOT_FOUND : 0;
    }

    /// {@return the position of the next entry, or -1 after the last entry}
    ///
    /// @param position the position of an entry
    public long next(long position) {
        long next = directory.next(checked(position));
        return next < directory.byteSize() ? next : NOT_FOUND;
    }

    /// Finds an entry. The name of a directory is found with and without the slash at its end; for a name without a
    /// slash, an entry whose name has no slash takes precedence. This takes the least time if the hash of the String is
    /// known.
    ///
    /// @param name the name
    /// @return the position of the entry, or -1
    public long find(String name) {
        return table.find(name);
    }

    /// {@return an entry}
    ///
    /// @param position the position of the entry
    public Entry entry(long position) {
        return new Entry(name(position), size(position), compressedSize(position), crc(position), method(position),
                isDirectory(position), isEncrypted(position), comment(position));
    }

    /// {@return the name of an entry; the name of a directory ends with a slash}
    ///
    /// @param position the position of the entry
    public String name(long position) {
        return directory.name(checked(position));
    }

    /// {@return the comment of an entry, or an empty text}
    ///
    /// @param position the position of the entry
    public String comment(long position) {
        return directory.comment(checked(position));
    }

    /// {@return the size of an entry in bytes}
    ///
    /// @param position the position of the entry
    public long size(long position) {
        return directory.size(checked(position));
    }

    /// {@return the size of an entry in the file, in bytes}
    ///
    /// @param position the position of the entry
    public long compressedSize(long position) {
        return directory.compressedSize(checked(position));
    }

    /// {@return the CRC-32 of an entry}
    ///
    /// @param position the position of the entry
    public long crc(long position) {
        return directory.crc(checked(position));
    }

    /// {@return how an entry is compressed: 0 stored, 8 deflated; an entry with another value cannot be read}
    ///
    /// @param position the position of the entry
    public int method(long position) {
        return directory.method(checked(position));
    }

    /// {@return whether an entry is a directory}
    ///
    /// @param position the position of the entry
    public boolean isDirectory(long position) {
        return directory.isDirectory(checked(position));
    }

    /// {@return whether an entry is encrypted, so that it cannot be read}
    ///
    /// @param position the position of the entry
    public boolean isEncrypted(long position) {
        return directory.isEncrypted(checked(position));
    }

    /// Reads an entry. A stored entry is a slice of the mapped file, without a copy: it is read-only, is not aligned,
    /// and lives as long as this index. A deflated entry is inflated into a new segment.
    ///
    /// @param position  the position of the entry
    /// @param allocator the allocator of the memory of an entry that is not stored
    /// @return the bytes of the entry
    /// @throws java.util.zip.ZipException if the entry is encrypted, compressed by another method or malformed, or has
    ///                                    another size or CRC
    /// @throws IOException                if the file cannot be read
    public MemorySegment read(long position, SegmentAllocator allocator) throws IOException {
        Inflation inflation = inflations.acquire();
        try {
            EntryData data = EntryData.open(source, directory, checked(position), inflation);
            return data.isDeflated() || data.size() == 0 ? data.copy(allocator) : data.mapped();
        } finally {
            inflations.release(inflation);
        }
    }

    /// Opens an entry as a stream, for one thread at a time. The last read throws a [java.util.zip.ZipException] if the
    /// entry has another size or CRC.
    ///
    /// @param position the position of the entry
    /// @return the stream, to be closed
    /// @throws java.util.zip.ZipException if the entry is encrypted, compressed by another method or malformed
    /// @throws IOException                if the file cannot be read
    public InputStream open(long position) throws IOException {
        Inflation inflation = inflations.acquire();
        try {
            return new EntryInputStream(inflations, inflation,
                    EntryData.open(source, directory, checked(position), inflation));
        } catch (Throwable t) {
            inflations.release(inflation);
            throw t;
        }
    }

    private long checked(long position) {
        if (!directory.hasHeader(position)) {
            throw new IllegalArgumentException("Position is not that of an entry: position=" + position);
        }
        return position;
    }

    /// Frees the memory and closes the file. Streams of entries can no longer be read.
    ///
    /// @throws IllegalStateException if another thread is reading; nothing has changed then
    /// @throws IOException           if the file cannot be closed
    @Override
    public void close() throws IOException {
        arena.close();
        inflations.close();
        source.close();
    }
}
