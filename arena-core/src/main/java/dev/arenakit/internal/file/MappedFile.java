package dev.arenakit.internal.file;

import dev.arenakit.internal.PageMappings;
import dev.arenakit.internal.nativecall.CHeaders;
import dev.arenakit.internal.nativecall.Errno;
import dev.arenakit.internal.nativecall.NativeAccess;
import java.io.IOException;
import java.nio.file.Path;

/// An open file whose ranges are mapped by address, without a lifetime.
///
/// A mapping of a `FileChannel` ends with its arena, and an arena for all threads ends with a handshake of all threads.
/// A mapping of this class ends with a call of [#unmap], whose caller guarantees that no live segment refers to the
/// range. Interrupts neither close the file nor end a call.
///
/// Several threads may use an object of this class, but not during or after [#close].
public final class MappedFile {
    private final Path path;
    private final int fd;
    private final int protection;

    private MappedFile(Path path, int fd, int protection) {
        this.path = path;
        this.fd = fd;
        this.protection = protection;
    }

    /// Whether this process can map the file of a path by address: the system is known, native access is not denied,
    /// and the path belongs to the default file system. The first two conditions never change.
    public static boolean isAvailableFor(Path path) {
        return AddressRange.isKnownFor(path) && NativeAccess.isGranted();
    }

    /// Opens an existing file.
    ///
    /// The caller has called [#isAvailableFor].
    ///
    /// @throws IOException if the file cannot be opened
    public static MappedFile open(Path path, boolean writable) throws IOException {
        int protection = writable ? CHeaders.PROT_READ | CHeaders.PROT_WRITE : CHeaders.PROT_READ;
        // Links the call that ends a mapping: linking needs heap memory, and later calls need none.
        long _ = PageMappings.pageByteSize();
        return new MappedFile(path, PosixFiles.open(path, writable ? CHeaders.O_RDWR : CHeaders.O_RDONLY), protection);
    }

    /// Returns the size of the file in bytes.
    public long byteSize() throws IOException {
        return check(PosixFiles.lseek(fd, 0, CHeaders.SEEK_END), "Size of a file cannot be read");
    }

    /// Sets the size of the file.
    public void setByteSize(long byteSize) throws IOException {
        int result;
        do {
            result = PosixFiles.setByteSize(fd, byteSize);
        } while (result == -CHeaders.EINTR);
        check(result, "Size of a file cannot be changed");
    }

    /// Writes the contents and the size of the file to the device.
    public void force() throws IOException {
        int result;
        do {
            result = PosixFiles.force(fd);
        } while (result == -CHeaders.EINTR);
        check(result, "File cannot be written to the device");
    }

    /// Maps a range of the file. The range may extend beyond the end of the file, but access there is an error.
    ///
    /// @param offset   the offset in bytes, a multiple of the page size
    /// @param byteSize the size in bytes
    /// @param random   whether pages are accessed in random order, so that the system reads none ahead
    /// @return the address, or the negative error number
    public long map(long offset, long byteSize, boolean random) {
        long address = PosixFiles.map(fd, protection, offset, byteSize);
        if (random && address > 0) {
            PageMappings.adviseRandom(address, byteSize);
        }
        return address;
    }

    /// Whether the result of [#map] says that there is no address space left, or that there are too many mappings.
    public static boolean isExhausted(long result) {
        return result == -CHeaders.ENOMEM;
    }

    /// Ends a mapping.
    public static void unmap(long address, long byteSize) {
        PageMappings.end(address, byteSize);
    }

    /// Writes what was stored in a part of a mapping to the device.
    public void force(long address, long byteSize) throws IOException {
        long page = address & -PageMappings.pageByteSize();
        check(PosixFiles.force(page, address + byteSize - page), "Range of a file cannot be written to the device");
    }

    /// Closes the file. Its mappings remain.
    public void close() {
        PosixFiles.close(fd);
    }

    private long check(long result, String what) throws IOException {
        if (result < 0) {
            throw new IOException(what + ": path=" + path + ", " + Errno.describe(result));
        }
        return result;
    }
}
