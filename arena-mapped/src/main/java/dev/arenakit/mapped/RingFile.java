package dev.arenakit.mapped;

import dev.arenakit.collection.concurrent.RingBuffer;
import dev.arenakit.mapped.internal.ring.MappedRing;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;

/// A ring buffer in a file, in which processes send messages to a process: see [RingBuffer]. `docs/rings.md` compares it
/// with other ways to share memory, and describes the file for programs in other languages.
///
/// ```java
/// // each producer
/// try (RingFile file = RingFile.openOrCreate(path, 1 << 20)) {
///     RingBuffer orders = file.newProducer(); // for one thread
///     long at = orders.claim(ORDERS.layout().byteSize());
///     if (at != RingBuffer.FULL) {
///         ORDERS.set(orders.segment(), at, order);
///         orders.commit(at, ORDER);
///     }
/// }
/// // the reader
/// try (RingFile file = RingFile.openOrCreate(path, 1 << 20)) {
///     RingBuffer orders = file.newReader();
///     while (isRunning) {
///         orders.poll(handler, 100, WaitStrategy.futex(), 100_000_000);
///     }
/// }
/// ```
///
/// **Processes** may come and go in any order. Messages stay in the file until they are read, also while no process has
/// the file open. There are up to 250 producers at a time, and one reader. Put the file on a file system in memory,
/// such as `/dev/shm`, unless messages shall survive a restart of the machine.
///
/// **A killed producer** loses the message that it has not committed, and no other. When polls have found the claim
/// open for more than a millisecond, the reader skips it, and counts it: [#skippedClaims()]. To this end, each producer
/// holds a lock on a byte of the file, which the system releases.
///
/// **A killed reader** loses nothing. The next reader gets the messages of the last poll again, if that poll had not
/// returned. Poll with a limit of 1, or let messages have numbers, if that matters.
///
/// **A file that is removed or replaced** is found by no other process. The producers notice it when they continue at
/// the start of the ring or find it full, and the reader when it has waited for a second: the call throws an
/// [IllegalStateException]. Open the ring again.
///
/// **A failure of the machine** can leave any mixture of old and new pages in the file of a disk. Delete it.
///
/// **Memory.** The file has 32 KiB more than the capacity. Its blocks are reserved when it is created, where the file
/// system can do that; elsewhere, a store on a full disk is an [InternalError]. Whoever makes the file shorter ends the
/// processes that use it.
///
/// **Security.** Only the user that has created the file can open it, and only in a directory in which no other user
/// can replace it, unless [Builder#unsafeDirectory()] allows that. A process that can write to the file can send any
/// bytes to the reader, which never lead to an endless loop, or to an access outside the file.
///
/// **Threads.** A producer belongs to one thread at a time, and so does the reader. Both end with this object, unless
/// the producer was made with an arena. All other methods may be called by any thread. The system notices the end of a
/// process, and not the end of a thread: if a thread ends between `claim` and `commit`, the reader waits until its
/// producer ends. For this reason, threads that come and go use [#newProducer(Arena)].
///
/// **Platform.** Linux on x86-64 and aarch64, with `--enable-native-access=dev.arenakit`, or `ALL-UNNAMED` on the
/// class path. Elsewhere, use a [RingBuffer] over a mapped file, and its `unblock`.
public final class RingFile implements AutoCloseable {
    private final MappedRing ring;

    private RingFile(MappedRing ring) {
        this.ring = ring;
    }

    /// Creates a ring in a new file.
    ///
    /// @param path     the path of the file, which does not exist yet
    /// @param capacity the capacity in bytes, a power of two of at least 64
    /// @return the ring, which the caller closes
    /// @throws java.nio.file.FileAlreadyExistsException if there is such a file
    /// @throws IllegalStateException                    if another process opens the new file at this moment, and gives
    ///                                                  the ring another capacity
    /// @throws DiskFullException                        if the disk has no room; the file is removed
    /// @throws IOException                              if the file cannot be created
    /// @throws IllegalArgumentException                 if the capacity is not such a power of two
    /// @throws UnsupportedOperationException            if the system lacks the locks, or native access is denied
    public static RingFile create(Path path, long capacity) throws IOException {
        return builder(path).create(capacity);
    }

    /// Opens the ring of a file.
    ///
    /// @param path the path of the file
    /// @return the ring, which the caller closes
    /// @throws java.nio.file.NoSuchFileException if there is no such file
    /// @throws IOException                       if the file cannot be opened, or another user could have
    ///                                           made or replaced it
    /// @throws IllegalStateException             if the file contains no ring, or a damaged one, or if its creator has
    ///                                           not completed it
    /// @throws UnsupportedOperationException     if the system lacks the locks, or native access is denied
    public static RingFile open(Path path) throws IOException {
        return builder(path).open();
    }

    /// Opens the ring of a file, or creates it. Processes may do so at the same time: this method waits while another
    /// process creates the ring, also if that process is stopped. A file that a killed process has begun to create is
    /// completed.
    ///
    /// @param path     the path of the file
    /// @param capacity the capacity in bytes, a power of two of at least 64
    /// @return the ring, which the caller closes
    /// @throws DiskFullException             if the disk has no room
    /// @throws IOException                   if the file cannot be opened or created, or another user could have made or
    ///                                       replaced it
    /// @throws IllegalArgumentException      if the capacity is not such a power of two
    /// @throws IllegalStateException         if the file has other contents, or a ring of another capacity
    /// @throws UnsupportedOperationException if the system lacks the locks, or native access is denied
    public static RingFile openOrCreate(Path path, long capacity) throws IOException {
        return builder(path).openOrCreate(capacity);
    }

    /// Starts to open a ring with options.
    ///
    /// @param path the path of the file
    /// @return a builder without options
    public static Builder builder(Path path) {
        return new Builder(path);
    }

    /// Makes a producer that ends with this object. It claims space, and is refused if it polls.
    ///
    /// @return the ring, for one thread at a time
    /// @throws IOException           if the file cannot be locked
    /// @throws IllegalStateException if there are 250 producers, if the path leads to another file or to none, or if
    ///                               this object is closed
    public RingBuffer newProducer() throws IOException {
        return ring.newProducer();
    }

    /// Makes a producer that ends with an arena, and not with this object. Its place is free then, and the reader skips
    /// its open claim.
    ///
    /// ```java
    /// try (Arena arena = Arena.ofConfined()) { // in a thread that sends orders, and then ends
    ///     RingBuffer orders = file.newProducer(arena);
    ///     send(orders);
    /// }
    /// ```
    ///
    /// The producer has a mapping of its own: make one for each thread, and not for each message. With an
    /// [Arena#ofAuto()], the producer ends some time after it has become unreachable.
    ///
    /// @param arena the arena, which need not be confined to this thread
    /// @return the ring, for one thread at a time, among those that can access the arena
    /// @throws IOException           if the file cannot be locked or mapped
    /// @throws IllegalStateException if there are 250 producers, if the path leads to another file or to none, or if
    ///                               this object or the arena is closed
    /// @throws WrongThreadException  if the arena is confined to another thread
    public RingBuffer newProducer(Arena arena) throws IOException {
        return ring.newProducer(arena);
    }

    /// Makes the reader, which polls, and is refused if it claims space.
    ///
    /// @return the ring, for one thread at a time
    /// @throws IOException           if the file cannot be locked
    /// @throws IllegalStateException if there is a reader, if the path leads to another file or to none, or if this
    ///                               object is closed
    public RingBuffer newReader() throws IOException {
        return ring.newReader();
    }

    /// Returns how many claims readers have skipped, since the file was created, because their producers had ended or
    /// by [RingBuffer#unblock]. A claim whose size was not written yet can count twice, or once with its neighbour.
    ///
    /// @return the number of claims
    public long skippedClaims() {
        return ring.skippedClaims();
    }

    /// {@return the size of the space for messages and their headers, in bytes}
    public long capacity() {
        return ring.capacity();
    }

    /// {@return the size of what was not read, in bytes, including headers and claims that are open}
    public long unreadByteSize() {
        return ring.unreadByteSize();
    }

    /// {@return the path of the file}
    public Path path() {
        return ring.path();
    }

    /// Ends the reader and the producers of this object, except producers with an arena, and unmaps the file, which
    /// stays. A second call has no effect.
    ///
    /// @throws IllegalStateException if a thread is using the memory; nothing has changed
    @Override
    public void close() {
        ring.close();
    }

    /// Options of a ring, followed by the call that opens it.
    public static final class Builder {
        private final Path path;
        private boolean unsafeDirectory;

        private Builder(Path path) {
            this.path = path;
        }

        /// Allows a file in a directory in which other users may replace it, as
        /// [InfiniteArenaBuilder#unsafeDirectory()] does for an image.
        ///
        /// @return this builder
        public Builder unsafeDirectory() {
            unsafeDirectory = true;
            return this;
        }

        /// Creates a ring in a new file as [RingFile#create(Path, long)] does.
        ///
        /// @param capacity the capacity in bytes, a power of two of at least 64
        /// @return the ring, which the caller closes
        /// @throws IOException if the file cannot be created
        public RingFile create(long capacity) throws IOException {
            return new RingFile(MappedRing.create(path, capacity, unsafeDirectory));
        }

        /// Opens the ring of a file as [RingFile#open(Path)] does.
        ///
        /// @return the ring, which the caller closes
        /// @throws IOException if the file cannot be opened
        public RingFile open() throws IOException {
            return new RingFile(MappedRing.open(path, unsafeDirectory));
        }

        /// Opens the ring of a file, or creates it, as [RingFile#openOrCreate(Path, long)] does.
        ///
        /// @param capacity the capacity in bytes, a power of two of at least 64
        /// @return the ring, which the caller closes
        /// @throws IOException if the file cannot be opened or created
        public RingFile openOrCreate(long capacity) throws IOException {
            return new RingFile(MappedRing.openOrCreate(path, capacity, unsafeDirectory));
        }
    }
}
