package dev.arenakit.mapped.io;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.file.MappedFile;
import dev.arenakit.internal.scope.Scopes;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.mapped.internal.files.SafeFiles;
import dev.arenakit.mapped.internal.io.WindowCache;
import dev.arenakit.mapped.internal.io.WindowErrors;
import dev.arenakit.mapped.internal.io.WindowMapper;
import dev.arenakit.mapped.internal.io.WindowPerLease;
import dev.arenakit.mapped.internal.io.WindowRange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Objects;

/// Access to a file of any size through windows that are mapped when they are needed, within a limit of address space.
///
/// A file that can be mapped as a whole needs no windows: use `FileChannel.map`. Windows suit a file that is larger
/// than the address space, or a process with many large files, or with a limit on its address space (`ulimit -v`).
///
/// **Backing.** The file is divided into windows of 64 MiB. [#lease] maps the window that contains a range, or all
/// windows that it touches, and returns its memory. When the lease is closed, the window stays mapped. A later lease of
/// a range in the same windows finds it. All mappings together take at most 4 GiB of addresses. If another window is
/// needed, windows without a lease are unmapped, least recently used first. If whole windows do not fit beside the
/// leased windows, only the pages of the range are mapped, until the lease is closed. All mappings share the page
/// cache: programs that map or read the same file see each store at once.
///
/// **File.** Only regular files can be opened. The file stays open, whatever becomes of its name. A lease ends at or
/// before the present end of the file, and never changes the size of the file; [#grow] does. A lease may be empty.
/// Opening or closing windows releases the locks (`FileLock`) of this process on the file, as closing any channel does.
/// **No other process may truncate the file:** an access beyond its new end throws an [InternalError], which the JVM
/// cannot always deliver to a handler, and kills the process if native code makes it.
///
/// **Lifetime.** Each lease has a scope of its own, so that a segment of a closed lease throws, even if its window is
/// still mapped, or leased again. [#close] unmaps all windows. It is refused while leases are open.
///
/// **Threads.** By default, all threads may use the windows at the same time. Only the thread that opens
/// [confined][Builder#confined] windows may use them. A lease belongs to the thread that makes it, unless
/// [#leaseShared] makes it.
///
/// **Contents.** Segments contain the bytes of the file, and zeros in its holes. If the windows are
/// [writable][Builder#writable], stores reach the file even if the process dies, and the device when the system writes
/// them or [#force] is called. If the disk is full when a store needs a new page, the store throws an [InternalError],
/// as in an [InfiniteArena].
///
/// **Alignment.** An address has the same alignment as the offset in the file, up to the page size, which is at least
/// 4,096.
///
/// **Exhaustion.** A lease that fails has no effect:
///
/// | cause | exception |
/// |---|---|
/// | the range ends beyond the end of the file | [IndexOutOfBoundsException] |
/// | the leased windows leave no room for the pages of the range | [CapacityExceededException] |
/// | the process has reached the limit of 10,000 file mappings, and no window can be unmapped | [CapacityExceededException] |
/// | the address space is exhausted | [OutOfMemoryError] |
/// | the file cannot be mapped | [UncheckedIOException] |
///
/// **Errors of the JVM.** After a [StackOverflowError], or an [OutOfMemoryError] of the Java heap, no window is unmapped
/// while it is leased. The interrupted call may leave a window mapped, and counted, until the process ends.
///
/// **Cost.** A lease of a mapped window takes some 20 nanoseconds, its end included, and some 300 while two threads
/// lease all the time. Mapping another window and reading its first page takes some 10 microseconds. Closing a lease of
/// [#leaseShared] takes tens of microseconds, for a handshake with every thread; nothing else needs one.
///
/// **Flags.** Native access keeps windows mapped, on Linux (x86-64 and aarch64). Pass
/// `--enable-native-access=dev.arenakit`, or `ALL-UNNAMED` on the class path, to avoid Java's warning. If it is denied,
/// and on other systems, each lease opens the file, and maps and unmaps its own pages, which takes some 20
/// microseconds. Then the file must keep its name, and an interrupt during a lease can leave its pages mapped until the
/// process ends.
///
/// {@snippet file="dev/arenakit/mapped/io/MappedWindowsExample.java" region="example"}
public final class MappedWindows implements AutoCloseable {
    private final Path path;
    private final boolean writable;
    private final boolean shared;

    /// The arena that knows the thread and whether the windows are open.
    private final Arena owner;

    /// A segment without memory, whose scope is checked.
    private final MemorySegment scope;

    /// The mappings. This object is also the lock. A lease of confined windows needs no lock. A lease of shared windows
    /// makes its system calls under the lock, because the kernel, too, changes the mappings of a process one after the
    /// other.
    private final WindowMapper mappings;

    private long openLeases;

    /// The size of the file when it was last read. Remembering it saves a system call.
    private long fileByteSize;

    private MappedWindows(Builder options, WindowMapper mappings, long fileByteSize) {
        path = options.path;
        writable = options.writable;
        shared = !options.confined;
        owner = shared ? Arena.ofShared() : Arena.ofConfined();
        scope = owner.allocate(0);
        this.mappings = mappings;
        this.fileByteSize = fileByteSize;
    }

    /// Opens an existing file for reading, by all threads, with windows of 64 MiB in 4 GiB of addresses.
    ///
    /// @param path the file
    /// @return the windows, which the caller closes
    /// @throws IOException if the file cannot be opened
    public static MappedWindows open(Path path) throws IOException {
        return builder(path).open();
    }

    /// {@return a builder of windows, which are read-only and shared by default}
    ///
    /// @param path an existing file
    public static Builder builder(Path path) {
        return new Builder(path);
    }

    /// Leases a range of the file for the current thread.
    ///
    /// @param offset   the offset in the file, in bytes
    /// @param byteSize the size in bytes
    /// @return the lease, which the current thread closes
    /// @throws IllegalArgumentException  if an argument is negative
    /// @throws WrongThreadException      if the windows are confined to another thread
    /// @throws IllegalStateException     if the windows are closed
    /// @throws IndexOutOfBoundsException if the range ends beyond the end of the file
    /// @throws CapacityExceededException if the leased windows leave no room, or the process has 10,000 file mappings
    /// @throws OutOfMemoryError          if the address space is exhausted
    /// @throws UncheckedIOException      if the file cannot be mapped
    public MappedWindow lease(long offset, long byteSize) {
        checkArguments(offset, byteSize);
        return lease(offset, byteSize, Arena.ofConfined());
    }

    /// Leases a range of the file for all threads. Any thread may close the lease. Closing it takes tens of
    /// microseconds, for a handshake with every thread.
    ///
    /// Otherwise, this method behaves as [#lease] does.
    ///
    /// @param offset   the offset in the file, in bytes
    /// @param byteSize the size in bytes
    /// @return the lease
    /// @throws UnsupportedOperationException if the windows are confined
    public MappedWindow leaseShared(long offset, long byteSize) {
        checkArguments(offset, byteSize);
        if (!shared) {
            throw new UnsupportedOperationException("Windows are confined: path=" + path
                    + "; open them without confined() to lease for all threads");
        }
        return lease(offset, byteSize, Arena.ofShared());
    }

    private MappedWindow lease(long offset, long byteSize, Arena arena) {
        if (!shared) {
            return leaseAlone(offset, byteSize, arena);
        }
        synchronized (mappings) {
            return leaseAlone(offset, byteSize, arena);
        }
    }

    private MappedWindow leaseAlone(long offset, long byteSize, Arena arena) {
        Scopes.checkOpen(scope);
        if (byteSize > fileByteSize - offset) {
            checkEnd(offset, byteSize);
        }
        WindowRange mapping = mappings.acquire(offset, byteSize);
        boolean leased = false;
        try {
            MemorySegment segment = mappings.segment(mapping, offset, byteSize, arena);
            MappedWindow window = new MappedWindow(this, mapping, arena, writable ? segment : segment.asReadOnly());
            openLeases++;
            leased = true;
            return window;
        } catch (IOException e) {
            throw WindowErrors.map(path, offset, byteSize, e);
        } finally {
            if (!leased) {
                try {
                    arena.close();
                } finally {
                    mappings.release(mapping);
                }
            }
        }
    }

    /// Checks that a range ends in the file, whose size may have changed since it was last read.
    private void checkEnd(long offset, long byteSize) {
        fileByteSize = readByteSize();
        if (byteSize > fileByteSize - offset) {
            throw WindowErrors.beyondEnd(path, offset, byteSize, fileByteSize);
        }
    }

    /// Ends a lease, whose scope is dead.
    void release(WindowRange mapping) {
        if (!shared) {
            releaseAlone(mapping);
            return;
        }
        synchronized (mappings) {
            releaseAlone(mapping);
        }
    }

    private void releaseAlone(WindowRange mapping) {
        // Count first: if an error ends the next call, the windows can be closed.
        openLeases--;
        mappings.release(mapping);
    }

    /// {@return the size of the file now, in bytes}
    ///
    /// @throws WrongThreadException  if the windows are confined to another thread
    /// @throws IllegalStateException if the windows are closed
    /// @throws UncheckedIOException  if the size cannot be read
    public long byteSize() {
        synchronized (mappings) {
            Scopes.checkOpen(scope);
            fileByteSize = readByteSize();
            return fileByteSize;
        }
    }

    private long readByteSize() {
        try {
            return mappings.fileByteSize();
        } catch (IOException e) {
            throw WindowErrors.size(path, e);
        }
    }

    /// Grows the file by a hole, if it is smaller than the given size. Open leases are not affected.
    ///
    /// Processes that grow the same file at the same time must exclude each other: the last one sets the size.
    ///
    /// @param byteSize the least size of the file, in bytes
    /// @throws IllegalArgumentException      if the size is negative
    /// @throws UnsupportedOperationException if the windows are read-only
    /// @throws WrongThreadException          if the windows are confined to another thread
    /// @throws IllegalStateException         if the windows are closed
    /// @throws UncheckedIOException          if the file system refuses the size
    public void grow(long byteSize) {
        if (byteSize < 0) {
            throw new IllegalArgumentException("Negative size: byteSize=" + byteSize);
        }
        if (!writable) {
            throw new UnsupportedOperationException("Windows are read-only: path=" + path
                    + "; open them with builder(path).writable()");
        }
        synchronized (mappings) {
            Scopes.checkOpen(scope);
            fileByteSize = readByteSize();
            if (byteSize <= fileByteSize) {
                return;
            }
            try {
                mappings.setFileByteSize(byteSize);
            } catch (IOException e) {
                throw WindowErrors.grow(path, byteSize, fileByteSize, e);
            }
            fileByteSize = byteSize;
        }
    }

    /// Writes the contents of the file, and its size, to the device. Concurrent stores may or may not be written.
    ///
    /// @throws WrongThreadException  if the windows are confined to another thread
    /// @throws IllegalStateException if the windows are closed
    /// @throws UncheckedIOException  if the device fails
    public void force() {
        // The device takes its time: a lease, not the lock, prevents the file from being closed.
        WindowRange none = WindowRange.empty();
        beginLease(scope, none);
        try {
            mappings.force();
        } catch (IOException e) {
            throw WindowErrors.force(path, e);
        } finally {
            release(none);
        }
    }

    /// Writes the contents of a lease to the device.
    void force(WindowRange mapping, MemorySegment segment) {
        // Another thread may close a shared lease meanwhile.
        beginLease(segment, mapping);
        try {
            if (segment.byteSize() > 0) {
                mappings.force(segment);
            }
        } catch (IOException e) {
            throw WindowErrors.force(path, e);
        } finally {
            release(mapping);
        }
    }

    /// Counts another lease of a mapping.
    ///
    /// @param segment a segment that must be alive
    private void beginLease(MemorySegment segment, WindowRange mapping) {
        synchronized (mappings) {
            Scopes.checkOpen(segment);
            mapping.addLease();
            openLeases++;
        }
    }

    /// Unmaps all windows, and closes the file.
    ///
    /// @throws WrongThreadException  if the windows are confined to another thread
    /// @throws IllegalStateException if the windows are already closed, or leases are open; nothing has changed
    @Override
    public void close() {
        synchronized (mappings) {
            Scopes.checkOpen(scope);
            if (openLeases > 0) {
                throw new IllegalStateException(
                        "Windows are leased: openLeases=" + openLeases + ", path=" + path + "; close the leases first");
            }
            owner.close();
            mappings.close();
        }
    }

    /// The size of all mappings in bytes.
    long mappedByteSize() {
        return mappings.mappedByteSize();
    }

    private static void checkArguments(long offset, long byteSize) {
        if (offset < 0 || byteSize < 0) {
            throw new IllegalArgumentException("Negative range: offset=" + offset + ", byteSize=" + byteSize);
        }
    }

    /// Configures and opens windows.
    public static final class Builder {
        /// The default size of a window. A scan spends its time on pages of this size of window, not on mappings.
        private static final long DEFAULT_WINDOW = 64L << 20;

        /// The default limit of address space: 64 windows.
        private static final long DEFAULT_MAX = 4L << 30;

        /// The largest number of windows: one file must not take most of the 10,000 mappings of the process.
        private static final long MOST_WINDOWS = 1_024;

        private final Path path;
        private boolean writable;
        private boolean confined;
        private boolean random;
        private boolean portable;
        private long windowByteSize = DEFAULT_WINDOW;
        private long maxByteSize = DEFAULT_MAX;

        private Builder(Path path) {
            this.path = Objects.requireNonNull(path, "path");
        }

        /// Allows stores to the file. By default, windows are read-only.
        ///
        /// @return this builder
        public Builder writable() {
            writable = true;
            return this;
        }

        /// Confines the windows to the thread that opens them. By default, they are shared.
        ///
        /// @return this builder
        public Builder confined() {
            confined = true;
            return this;
        }

        /// Sets the size of a window. The default is 64 MiB.
        ///
        /// A larger window is mapped less often, and fewer leases cross a border. A smaller window wastes fewer
        /// addresses.
        ///
        /// @param windowByteSize the size in bytes, a power of two of at least 64 KiB
        /// @return this builder
        /// @throws IllegalArgumentException if the size is not as described
        public Builder windowByteSize(long windowByteSize) {
            if (!Sizes.isPowerOfTwo(windowByteSize) || windowByteSize < WindowMapper.GRANULARITY) {
                throw new IllegalArgumentException(
                        "Window size is not a power of two of at least 64 KiB: windowByteSize="
                                + windowByteSize);
            }
            this.windowByteSize = windowByteSize;
            return this;
        }

        /// Sets the number of addresses that all mappings may take together. The default is 4 GiB.
        ///
        /// @param maxByteSize the size in bytes, from 1 to 1,024 windows
        /// @return this builder
        public Builder maxByteSize(long maxByteSize) {
            this.maxByteSize = maxByteSize;
            return this;
        }

        /// Advises the system that pages are accessed in random order. Otherwise, the first access to a page reads the
        /// pages around it, too: 128 KiB, unless the system is configured otherwise. If it reads much more, that takes
        /// milliseconds. A sequential scan is faster without this advice. The advice has no effect without native
        /// access.
        ///
        /// @return this builder
        public Builder randomAccess() {
            random = true;
            return this;
        }

        /// Does without native access, for tests.
        Builder portable() {
            portable = true;
            return this;
        }

        /// {@return new windows of the file}
        ///
        /// @throws IllegalArgumentException if the limit of address space is smaller than a window, larger than 1,024
        ///                                  windows, or larger than an address space
        /// @throws IOException              if there is no such file, it cannot be opened, or it is not a regular file
        public MappedWindows open() throws IOException {
            if (maxByteSize < windowByteSize || maxByteSize / windowByteSize > MOST_WINDOWS
                    || maxByteSize > Sizes.ADDRESSABLE) {
                throw new IllegalArgumentException("Limit is not 1 to " + MOST_WINDOWS + " windows: maxByteSize="
                        + maxByteSize + ", windowByteSize=" + windowByteSize + ", addressable=" + Sizes.ADDRESSABLE);
            }
            // The exceptions of the JDK give the reason in words, and opening a pipe would wait for its other end.
            SafeFiles.openRegular(path, writable).close();
            WindowMapper mappings = portable || !MappedFile.isAvailableFor(path)
                    ? new WindowPerLease(path, writable, maxByteSize)
                    : new WindowCache(path, MappedFile.open(path, writable), random, windowByteSize, maxByteSize);
            try {
                return new MappedWindows(this, mappings, mappings.fileByteSize());
            } catch (Throwable t) {
                mappings.close();
                throw t;
            }
        }
    }
}
