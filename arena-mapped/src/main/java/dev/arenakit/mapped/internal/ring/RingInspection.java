package dev.arenakit.mapped.internal.ring;

import dev.arenakit.internal.file.DescriptionLock;
import dev.arenakit.internal.ring.RingFormat;
import dev.arenakit.internal.ring.RingHeader;
import dev.arenakit.mapped.internal.files.OpenedFile;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// Reads a ring in a file that processes may be using, without being noticed by them. The file is not mapped, and locks
/// are tested, not taken. All methods end for any bytes. Not thread-safe.
///
/// The ring may also be one that a program has made in a file that it has mapped. Such a ring has no slots, so that its
/// users are not known.
public final class RingInspection implements Closeable {
    /// How often positions are read until they are sound. A word can be torn if the system does not copy it at once.
    private static final int ATTEMPTS = 3;

    private final Path path;
    private final OpenedFile file;
    private final Arena arena;
    /// A copy of the beginning of the file, with the slots.
    private final MemorySegment start;
    private final RingHeader header;
    private final @Nullable DescriptionLock locks;

    private RingInspection(Path path) throws IOException {
        this.path = path;
        file = OpenedFile.toRead(path);
        arena = Arena.ofConfined();
        try {
            start = arena.allocate(ProducerSlots.RECORDS, RingFormat.RECORD);
            readStart();
            header = RingHeader.read(start, file.size());
            locks = hasSlots() && DescriptionLock.isAvailableFor(path) ? DescriptionLock.openToRead(path) : null;
        } catch (IllegalStateException e) {
            closeFile();
            throw new DamagedException(String.valueOf(e.getMessage()));
        } catch (Throwable t) {
            closeFile();
            throw t;
        }
    }

    /// Opens a ring.
    ///
    /// @throws DamagedException if the header of the ring is damaged, or the file is shorter than the ring
    /// @throws IOException      if the file cannot be read
    public static RingInspection open(Path path) throws IOException {
        return new RingInspection(path);
    }

    /// Whether a path leads to a regular file that begins as a ring does. The ring may be damaged.
    public static boolean isRing(Path path) throws IOException {
        if (!Files.isRegularFile(path)) {
            return false;
        }
        try (OpenedFile file = OpenedFile.toRead(path)) {
            ByteBuffer magic = ByteBuffer.allocate(Long.BYTES);
            file.read(magic, RingFormat.MAGIC);
            return magic.getLong(0) == Long.reverseBytes(RingFormat.MAGIC_VALUE);
        }
    }

    /// The space for messages and their headers in bytes.
    public long capacity() {
        return header.capacity();
    }

    /// Reads the positions.
    ///
    /// @throws DamagedException if a ring cannot have them
    public RingPositions positions() throws IOException {
        Optional<String> problem = Optional.empty();
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            RingPositions found = new RingPositions(word(RingFormat.HEAD_COPY), word(RingFormat.HEAD),
                    word(RingFormat.TAIL), word(RingFormat.HEAD), word(RingFormat.SKIPS));
            problem = found.problem(capacity());
            if (problem.isEmpty()) {
                return found;
            }
        }
        throw new DamagedException(problem.orElseThrow());
    }

    /// Begins to read the records that were not read by the reader yet, up to the current tail.
    ///
    /// @param byteLimit the largest number of bytes of a message that a record has
    /// @throws DamagedException if the positions are damaged
    public RingRecords records(int byteLimit) throws IOException {
        return new RingRecords(this, header, positions(), byteLimit, arena);
    }

    /// The users of a ring in a file. They are not known without native access, or on a file system without locks.
    ///
    /// @param producers the number of producers
    /// @param hasReader whether there is a reader
    public record Users(OptionalInt producers, Optional<Boolean> hasReader) {
        static final Users UNKNOWN = new Users(OptionalInt.empty(), Optional.empty());
    }

    /// Counts the users.
    public Users users() throws IOException {
        if (isLocked(0, 1).isEmpty()) {
            return Users.UNKNOWN;
        }
        int producers = 0;
        for (int slot = 0; slot < ProducerSlots.COUNT; slot++) {
            producers += isLocked(slot) ? 1 : 0;
        }
        return new Users(OptionalInt.of(producers), isLocked(0, 1));
    }

    /// What is known about the producer of a claim.
    ///
    /// @param isDead whether it is certain that the producer has ended
    record Claimant(boolean isDead, OptionalLong process) {}

    /// Finds the producer of a claim.
    ///
    /// @param number the number that the claim names
    Claimant claimant(int number) throws IOException {
        if (!hasSlots()) {
            return new Claimant(false, OptionalLong.empty());
        }
        readStart();
        int slot = ProducerSlots.slotOf(number);
        if (slot >= ProducerSlots.COUNT || ProducerSlots.number(start, slot) != number) {
            return new Claimant(true, OptionalLong.empty());
        }
        boolean isDead = isLocked(ProducerSlots.lockOffset(slot), 1).map(isLocked -> !isLocked).orElse(false);
        return new Claimant(isDead, OptionalLong.of(ProducerSlots.process(start, slot)));
    }

    /// A process that may have claimed a position without writing its record yet.
    OptionalLong intendingProcess(long position) throws IOException {
        if (hasSlots()) {
            readStart();
            for (int slot = 0; slot < ProducerSlots.COUNT; slot++) {
                if (ProducerSlots.mayHaveClaimed(ProducerSlots.intent(start, slot), position, capacity())
                        && isLocked(slot)) {
                    return OptionalLong.of(ProducerSlots.process(start, slot));
                }
            }
        }
        return OptionalLong.empty();
    }

    private boolean hasSlots() {
        return header.kind() == RingFormat.FILE;
    }

    private boolean isLocked(int slot) {
        return isLocked(ProducerSlots.lockOffset(slot), 1).orElse(false);
    }

    /// Whether a range is locked; empty if that is not known.
    private Optional<Boolean> isLocked(long offset, long byteSize) {
        if (locks == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(locks.isLockedByAnother(offset, byteSize));
        } catch (IOException _) {
            // The file system has no locks.
            return Optional.empty();
        }
    }

    /// Reads a word that processes may be changing.
    long word(long at) throws IOException {
        MemorySegment word = start.asSlice(at % ProducerSlots.RECORDS, Long.BYTES);
        read(at, word);
        return (long) RingFormat.LONG.get(word, 0L);
    }

    /// Fills a segment with bytes of the file.
    void read(long at, MemorySegment into) throws IOException {
        if (readSome(at, into) < into.byteSize()) {
            throw new IOException("Ring was truncated: path=" + path + ", byteSize=" + file.size());
        }
    }

    private void readStart() throws IOException {
        // A ring without slots may be in a smaller file.
        readSome(0, start);
    }

    private long readSome(long at, MemorySegment into) throws IOException {
        ByteBuffer buffer = into.asByteBuffer();
        while (buffer.hasRemaining() && file.read(buffer, at + buffer.position()) > 0) {
            // Continues behind what was read.
        }
        return buffer.position();
    }

    private void closeFile() throws IOException {
        arena.close();
        file.close();
    }

    @Override
    public void close() throws IOException {
        if (locks != null) {
            locks.close();
        }
        closeFile();
    }

    /// A ring is damaged.
    public static final class DamagedException extends IOException {
        private static final long serialVersionUID = 1L;

        DamagedException(String message) {
            super(message);
        }
    }
}
