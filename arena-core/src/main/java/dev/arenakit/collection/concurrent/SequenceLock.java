package dev.arenakit.collection.concurrent;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/// Lets one writer change a struct in a segment, while any number of readers read it. Readers write nothing, and never
/// delay the writer. They repeat what they have read while the writer was writing.
///
/// The lock is a word of 8 bytes beside the struct, at a multiple of 8 bytes. Zeroed memory is a lock without a writer.
/// The word is even between two writes, and odd during a write. Objects over the same memory share the lock, also in
/// different processes. Nothing is allocated.
///
/// **Threads.** One thread writes at any time; several writers need another lock. If a writer dies during a write, the
/// struct is incomplete, and [#validate] returns false until a later writer has written the whole struct and has called
/// [#endWrite()]. The lifetime of the memory ends as usual: then each operation throws an [IllegalStateException].
///
/// **Orderings** (H. Boehm, "Can seqlocks get along with programming language memory models?", MSPC 2012). The struct is
/// read and written by plain accesses. Two of the four accesses to the word need more than acquire and release
/// semantics, which order in the wrong direction:
///
/// | access to the word | ordering | without it |
/// |---|---|---|
/// | the writer makes it odd | opaque, then a release fence | a store to the struct could be visible before the odd number |
/// | the writer makes it even | release | a store to the struct could be visible after the even number |
/// | a reader reads it first | acquire | a load of the struct could take place before this load |
/// | a reader reads it again | an acquire fence, then opaque | a load of the struct could take place after this load |
///
/// {@snippet :
/// SequenceLock lock = SequenceLock.of(segment, 0);
///
/// lock.beginWrite(); // the writer
/// QUOTES.set(segment, 8, quote);
/// lock.endWrite();
///
/// Quote quote = lock.read(() -> QUOTES.get(segment, 8)); // a reader
/// }
public final class SequenceLock {
    /// The number of attempts after which a reader pauses.
    private static final int SPINS = 64;
    private static final long PAUSE_NANOS = 1_000;
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN)
            .varHandle()
            .withInvokeExactBehavior();

    private final MemorySegment segment;
    private final long offset;

    private SequenceLock(MemorySegment segment, long offset) {
        this.segment = segment;
        this.offset = offset;
    }

    /// Returns the lock in a segment. Its word is not changed.
    ///
    /// @param segment the memory, of any arena
    /// @param offset  the offset of the word
    /// @return the lock
    /// @throws IndexOutOfBoundsException if the word is not inside the segment
    /// @throws IllegalArgumentException  if the word is not aligned to 8 bytes
    public static SequenceLock of(MemorySegment segment, long offset) {
        Objects.checkFromIndexSize(offset, Long.BYTES, segment.byteSize());
        if (segment.asSlice(offset).maxByteAlignment() < Long.BYTES) {
            throw new IllegalArgumentException("Word is not aligned: offset=" + offset + ", required=" + Long.BYTES
                    + "; use another offset, or an array of longs");
        }
        return new SequenceLock(segment, offset);
    }

    /// Begins a write. Changes of the struct follow, and then [#endWrite()], also after an exception.
    ///
    /// @throws IllegalStateException if a write has begun and has not ended
    public void beginWrite() {
        long sequence = (long) LONG.getOpaque(segment, offset);
        if (isOdd(sequence)) {
            throw new IllegalStateException("A write has begun and has not ended: sequence=" + sequence
                    + "; if its writer is dead, write the whole struct, and call endWrite");
        }
        LONG.setOpaque(segment, offset, sequence + 1);
        VarHandle.releaseFence();
    }

    /// Ends a write. Readers see the changes.
    ///
    /// @throws IllegalStateException if no write has begun
    public void endWrite() {
        long sequence = (long) LONG.getOpaque(segment, offset);
        if (!isOdd(sequence)) {
            throw new IllegalStateException("No write has begun: sequence=" + sequence);
        }
        LONG.setRelease(segment, offset, sequence + 1);
    }

    /// Returns a stamp for [#validate], before the struct is read. This method does not wait.
    ///
    /// @return the stamp; it is odd, and not valid, if a write has begun
    public long tryOptimisticRead() {
        return (long) LONG.getAcquire(segment, offset);
    }

    /// Whether there was no write since a stamp was returned. Until then, what was read may be a mixture of two states:
    /// do not use it as an index, a size or a type.
    ///
    /// @param stamp the stamp
    /// @return whether what was read is consistent
    public boolean validate(long stamp) {
        VarHandle.acquireFence();
        return !isOdd(stamp) && (long) LONG.getOpaque(segment, offset) == stamp;
    }

    /// Reads the struct, and repeats this until it was consistent. If the reader throws something because it has read a
    /// mixture of two states, it is repeated, too. Other exceptions and errors are thrown. As long as a write has begun and has not
    /// ended, this method does not return.
    ///
    /// @param <T>    the type of the result
    /// @param reader reads the struct; it may be called several times, and should have no other effect
    /// @return the result of the last call
    public <T> T read(Supplier<T> reader) {
        for (int attempts = 1;; attempts++) {
            long stamp = tryOptimisticRead();
            if (!isOdd(stamp)) {
                try {
                    T result = reader.get();
                    if (validate(stamp)) {
                        return result;
                    }
                } catch (Throwable t) {
                    if (validate(stamp)) {
                        throw t;
                    }
                }
            }
            if (attempts % SPINS == 0) {
                // The writer may need this processor to continue.
                LockSupport.parkNanos(PAUSE_NANOS);
            } else {
                Thread.onSpinWait();
            }
        }
    }

    private static boolean isOdd(long sequence) {
        return (sequence & 1) != 0;
    }
}
