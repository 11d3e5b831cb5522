package dev.arenakit.mapped.internal.ring;

import dev.arenakit.internal.file.DescriptionLock;
import dev.arenakit.internal.ring.RingFormat;
import dev.arenakit.internal.ring.RingRole;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;

import static dev.arenakit.internal.ring.RingFormat.LONG;

/// The slots of the producers of a ring in a file. They stand between the header of the ring, which
/// [dev.arenakit.internal.ring.RingFormat] describes, and its records. Numbers are little-endian. `docs/rings.md`
/// shows both for programs in other languages.
///
/// ```text
/// file                                              slot, 128 bytes
///       0  header of the ring                         0  generation  int64
///     640  slots 0 to 249                             8  intent      int64
///   32768  records                                   16  process     int64
/// ```
///
/// | field | contents |
/// |---|---|
/// | generation | how many producers have had the slot |
/// | intent | the position that the producer is about to claim, or -1 |
/// | process | the process of the last producer, for messages |
///
/// **Locks.** The reader holds an exclusive lock on byte 0 of the file, the producer of slot `n` one on byte `1 + n`, and
/// whoever completes the header one on byte 251.
/// They are locks of open file descriptions: the system releases them when the process ends, in whatever way. A
/// producer is alive as long as it holds its lock. Its number is `slot | generation << 8`, so that later producers of
/// the slot have other numbers.
///
/// **Order of stores.** A producer stores its intent before it moves the tail of the ring, and -1 after it has written
/// the stamp of its claim. So if there is a claim without a stamp, and its producer is alive, then a living producer has
/// the position of the claim as its intent, or, if the claim begins at the start of the records, the position of the
/// padding before it. Other producers have tried to claim the same position: they are waited for, too, because their
/// next step changes their intent.
public final class ProducerSlots implements RingRole.Rescue {
    /// The number of slots.
    public static final int COUNT = 250;
    /// The offset of the records.
    public static final long RECORDS = 32_768;

    /// The byte that a process locks while it creates the ring.
    static final long CREATION_LOCK = 1 + COUNT;

    private static final long SLOT_BYTE_SIZE = 128;
    private static final long INTENT = 8;
    private static final long PROCESS = 16;
    private static final int GENERATION_SHIFT = 8;
    private static final long GENERATION_MASK = (1 << 24) - 1;
    /// A check of the place takes microseconds, and a reader may poll without a pause.
    private static final long PLACE_NANOS = 1_000_000_000;
    /// A claim is open for nanoseconds. After this time, its producer may be dead.
    private static final long PATIENCE_NANOS = 1_000_000;

    private final MemorySegment segment;
    private final DescriptionLock file;
    private final long capacity;
    private final Runnable place;
    private long placeChecked = System.nanoTime();
    private long blocked = -1;
    private long blockedSince;

    private ProducerSlots(MemorySegment segment, DescriptionLock file, long capacity, Runnable place) {
        this.segment = segment;
        this.file = file;
        this.capacity = capacity;
        this.place = place;
    }

    /// Takes the lock of the reader.
    ///
    /// @param file  an open file, which is closed later than the segment
    /// @param place throws an [IllegalStateException] if the path of the ring leads to another file, or to none
    /// @return the use of the ring
    /// @throws IllegalStateException if there is a reader
    public static RingRole takeReader(MemorySegment segment, DescriptionLock file, long capacity, Runnable place)
            throws IOException {
        if (!file.tryLock(0, 1)) {
            throw new IllegalStateException("Ring has a reader; a ring has one reader at a time, which ends with its "
                    + "process or when it closes the file");
        }
        return RingRole.reader(new ProducerSlots(segment, file, capacity, place));
    }

    /// Takes the lock of a producer.
    ///
    /// @param file  an open file of its own, which is closed later than the segment
    /// @param place throws an [IllegalStateException] if the path of the ring leads to another file, or to none
    /// @return the use of the ring
    /// @throws IllegalStateException if there are as many producers as slots
    public static RingRole takeProducer(MemorySegment segment, DescriptionLock file, Runnable place)
            throws IOException {
        for (int slot = 0; slot < COUNT; slot++) {
            if (file.tryLock(lockOffset(slot), 1)) {
                long at = at(slot);
                long generation = (long) LONG.getAcquire(segment, at) + 1;
                // The claims of the previous producer have another number as soon as they count as those of this one.
                LONG.setRelease(segment, at, generation);
                LONG.setRelease(segment, at + INTENT, RingRole.NONE);
                LONG.setRelease(segment, at + PROCESS, ProcessHandle.current().pid());
                return RingRole.producer(number(slot, generation), at + INTENT, place);
            }
        }
        throw new IllegalStateException("Ring has " + COUNT + " producers, the largest number; close the arena, or the "
                + "RingFile, of a producer that has ended");
    }

    @Override
    public boolean isOverdue(long position) {
        if (position != blocked) {
            blocked = position;
            blockedSince = System.nanoTime();
            return false;
        }
        long now = System.nanoTime();
        if (now - placeChecked > PLACE_NANOS) {
            place.run();
            placeChecked = now;
        }
        if (now - blockedSince <= PATIENCE_NANOS) {
            return false;
        }
        // The locks are looked at again after the same time.
        blockedSince = now;
        return true;
    }

    @Override
    public boolean isDead(int producer) {
        int slot = slotOf(producer);
        // A number of no slot is damage, and nobody is behind it.
        boolean isAlive = slot < COUNT && number(slot) == producer && isLocked(slot) && number(slot) == producer;
        return !isAlive;
    }

    @Override
    public long endOfGap(long position) {
        long end = Long.MAX_VALUE;
        for (int slot = 0; slot < COUNT; slot++) {
            long intent = intent(segment, slot);
            boolean mayHaveClaimed = mayHaveClaimed(intent, position, capacity);
            if ((mayHaveClaimed || intent > position) && isLocked(slot)) {
                end = Math.min(end, mayHaveClaimed ? position : intent);
            }
        }
        return end;
    }

    /// Whether a producer may have claimed a position: its intent is the position, or the padding before it.
    static boolean mayHaveClaimed(long intent, long position, long capacity) {
        boolean isPadding = position % capacity == 0 && intent < position && intent > position - capacity;
        return intent == position || (isPadding && intent != RingRole.NONE);
    }

    private boolean isLocked(int slot) {
        try {
            return file.isLockedByAnother(lockOffset(slot), 1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int number(int slot) {
        return number(segment, slot);
    }

    /// The slot of a producer. A number that is damaged may result in a slot that does not exist.
    static int slotOf(int producer) {
        return producer & ((1 << GENERATION_SHIFT) - 1);
    }

    /// The number of the last producer of a slot.
    static int number(MemorySegment segment, int slot) {
        return number(slot, (long) LONG.getAcquire(segment, at(slot)));
    }

    static long intent(MemorySegment segment, int slot) {
        return (long) LONG.getAcquire(segment, at(slot) + INTENT);
    }

    static long process(MemorySegment segment, int slot) {
        return (long) LONG.getAcquire(segment, at(slot) + PROCESS);
    }

    /// The offset of the byte that the producer of a slot has locked.
    static long lockOffset(int slot) {
        return 1L + slot;
    }

    private static int number(int slot, long generation) {
        return slot | (int) (generation & GENERATION_MASK) << GENERATION_SHIFT;
    }

    private static long at(int slot) {
        return RingFormat.HEADER_BYTE_SIZE + slot * SLOT_BYTE_SIZE;
    }
}
