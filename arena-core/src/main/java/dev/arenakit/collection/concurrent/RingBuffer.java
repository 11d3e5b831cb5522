package dev.arenakit.collection.concurrent;

import dev.arenakit.internal.ring.RingFormat;
import dev.arenakit.internal.ring.SegmentRing;
import java.lang.foreign.MemorySegment;

/// A queue of messages in a segment, which carries bytes from one thread to another without locks.
///
/// | created by | producers | a claim costs |
/// |---|---|---|
/// | [#spsc(MemorySegment)] | one | ordinary stores |
/// | [#mpsc(MemorySegment)] | many | one compare-and-set, repeated while others claim at the same moment |
///
/// **Messages** have a type, which is any int, and from 0 to [#maxMessageByteSize()] bytes. Each message is contiguous.
/// It begins at a multiple of 8 bytes in memory, or of 16 if the segment begins at one. [#write] copies a message into
/// the ring. [#claim] returns space, in which a message is written in place, and which [#commit] or [#abort] ends.
/// Nothing is allocated on the Java heap, except by [WaitStrategy#futex()].
///
/// **Order.** The reader gets messages in the order of their claims. It waits for a claim that is open, even if later
/// ones are committed. What a producer has written before `commit`, the reader sees in its handler.
///
/// **Full.** A claim never waits. If there is no space, it returns [#FULL], and `write` returns false: wait, drop the
/// message, or report it. The reader frees space when [#poll] returns.
///
/// **Memory.** The segment comes from any arena, or is a slice of an array of longs. It must be aligned to 8 bytes.
/// [#byteSize] returns the size for a capacity, a power of two; otherwise, the ring uses the largest power of two that
/// fits. A message takes 16 bytes more than its size, rounded up to a multiple of 16. If the first 640 bytes are
/// zero, a ring is created in it. If it contains a ring of the same kind, that ring is opened, with all its messages. Memory with
/// other contents is refused, and never overwritten. After the end of the memory's lifetime, each operation throws an
/// [IllegalStateException].
///
/// **Threads.** At any time one thread reads, and in a ring of one producer, one thread claims. A later thread may take
/// over these tasks, if the earlier one has handed over the ring in a way that other data is handed over. All threads
/// may use the same object, or objects of their own over the same memory. A second reader at the same time may get an
/// `IllegalStateException` or messages that the other one gets, too. In a ring of one producer, claims of two threads
/// at the same time overwrite each other. Neither accesses memory outside the segment.
///
/// **Producers that stop.** The reader waits for the claim of a thread that ended between `claim` and `commit`, or that
/// an Error such as a [StackOverflowError] has interrupted in `claim`. [#unblock] skips it.
///
/// **Damage.** If the memory has been overwritten, operations throw an `IllegalStateException`. No contents lead to an
/// endless loop or an access outside the segment.
///
/// **Algorithm.** Each record has a stamp that is derived from its position, so that the reader neither reads the
/// position of the producers nor erases what it has read. A copy of the reader's position saves producers from reading
/// it each time, as in Agrona's ring buffers and in P. P. C. Lee, T. Bu and G. Chandranmenon, "A lock-free,
/// cache-efficient multi-core synchronization mechanism for line-rate network traffic monitoring" (IPDPS 2010).
///
/// {@snippet :
/// RingBuffer ring = RingBuffer.mpsc(arena.allocate(RingBuffer.byteSize(1 << 16), Long.BYTES));
///
/// long at = ring.claim(ORDERS.layout().byteSize()); // a producer
/// if (at != RingBuffer.FULL) {
///     ORDERS.set(ring.segment(), at, order);
///     ring.commit(at, ORDER);
/// }
///
/// ring.poll((type, segment, offset, byteSize) -> handle(ORDERS.get(segment, offset)), 100); // the reader
/// }
public sealed interface RingBuffer permits SegmentRing {
    /// The result of a claim for which there is no space: -1.
    long FULL = -1;

    /// Handles a message.
    @FunctionalInterface
    interface MessageHandler {
        /// Handles a message. Its bytes are valid until this method returns.
        ///
        /// @param type     the type of the message
        /// @param segment  the memory of the ring, read-only
        /// @param offset   the offset of the first byte of the message
        /// @param byteSize the size of the message
        void onMessage(int type, MemorySegment segment, long offset, long byteSize);
    }

    /// Returns the ring of one producer in a segment. If the segment is zeroed, the ring is created.
    ///
    /// @param segment the memory
    /// @return the ring
    /// @throws IllegalArgumentException if the segment is read-only, too small, or not aligned to 8 bytes
    /// @throws IllegalStateException    if the segment has other contents, or if the ring has another kind or is damaged
    static RingBuffer spsc(MemorySegment segment) {
        return SegmentRing.spsc(segment);
    }

    /// Returns the ring of many producers in a segment. If the segment is zeroed, the ring is created.
    ///
    /// @param segment the memory
    /// @return the ring
    /// @throws IllegalArgumentException if the segment is read-only, too small, or not aligned to 8 bytes
    /// @throws IllegalStateException    if the segment has other contents, or if the ring has another kind or is damaged
    static RingBuffer mpsc(MemorySegment segment) {
        return SegmentRing.mpsc(segment);
    }

    /// Returns the size of the memory of a ring.
    ///
    /// @param capacity the capacity in bytes, a power of two of at least 64
    /// @return the capacity and the size of the header, in bytes
    /// @throws IllegalArgumentException if the capacity is not such a power of two
    static long byteSize(long capacity) {
        if (Long.bitCount(capacity) != 1 || capacity < RingFormat.MIN_CAPACITY || capacity > RingFormat.MAX_CAPACITY) {
            throw new IllegalArgumentException("Capacity is not a power of two from " + RingFormat.MIN_CAPACITY + " to "
                    + RingFormat.MAX_CAPACITY + ": capacity=" + capacity);
        }
        return RingFormat.HEADER_BYTE_SIZE + capacity;
    }

    /// Writes a message, if there is space.
    ///
    /// @param type     the type of the message
    /// @param source   the segment that contains the message
    /// @param offset   the offset of its first byte
    /// @param byteSize its size
    /// @return whether the message was written; otherwise the ring is full
    /// @throws IllegalArgumentException  if the message is larger than the largest message; the exception names its size
    /// @throws IndexOutOfBoundsException if the bytes are not inside the source
    /// @throws IllegalStateException     if the ring is damaged
    boolean write(int type, MemorySegment source, long offset, long byteSize);

    /// Claims space for a message. The space may contain bytes of earlier messages.
    ///
    /// @param byteSize the size of the message
    /// @return the offset of the space in [#segment()], or [#FULL], which is negative
    /// @throws IllegalArgumentException if the size is negative or larger than the largest message; the exception names
    ///                                  that size
    /// @throws IllegalStateException    if the ring is damaged
    long claim(long byteSize);

    /// Sends the message in a space that was claimed.
    ///
    /// @param offset the result of [#claim]
    /// @param type   the type of the message
    /// @throws IllegalArgumentException if the offset cannot be the result of a claim
    /// @throws IllegalStateException    if the claim has ended; not found if a later claim has the same offset
    void commit(long offset, int type);

    /// Gives up a space that was claimed. The reader skips it.
    ///
    /// @param offset the result of [#claim]
    /// @throws IllegalArgumentException if the offset cannot be the result of a claim
    /// @throws IllegalStateException    if the claim has ended; not found if a later claim has the same offset
    void abort(long offset);

    /// Reads the messages that are there, up to a limit. Their space is free when this method returns.
    ///
    /// If the handler throws an exception, its message and those before count as read, and the exception is thrown here.
    /// If an Error is thrown, the message comes again at the next poll: the stack may have had no room for the call of the
    /// handler. A handler must not poll its own ring. It may write to any ring.
    ///
    /// @param handler handles each message
    /// @param limit   the largest number of messages
    /// @return the number of messages
    /// @throws IllegalArgumentException if the limit is negative
    /// @throws IllegalStateException    if the ring is damaged, or if a poll is running
    int poll(MessageHandler handler, int limit);

    /// Reads messages as [#poll(MessageHandler, int)] does, and waits for the first one.
    ///
    /// @param handler      handles each message
    /// @param limit        the largest number of messages
    /// @param strategy     what the thread does while there is no message
    /// @param timeoutNanos the time to wait, in nanoseconds
    /// @return the number of messages; 0 if there was none in that time, or if the thread is interrupted, which remains so
    /// @throws IllegalArgumentException if the limit is negative
    /// @throws IllegalStateException    if the ring is damaged, or if a poll is running
    int poll(MessageHandler handler, int limit, WaitStrategy strategy, long timeoutNanos);

    /// Skips the next claim if it is open. Call it in the reader's thread, and only if the producer of the claim will
    /// never commit it. A producer that does so nevertheless may damage the ring.
    ///
    /// A producer that ended inside of `claim` or `write` has not written the size. Then the claim ends where the next
    /// one begins, which this method finds in time proportional to the size. In this case, no other producer may be
    /// inside of `claim` or `write` at the same time: its message could be skipped, too.
    ///
    /// @return whether a claim was skipped; otherwise the ring is empty, or the next message can be read
    /// @throws IllegalStateException if the ring is damaged
    boolean unblock();

    /// {@return the memory of the ring, in which claims are offsets}
    MemorySegment segment();

    /// {@return the size of the space for messages and their headers, in bytes}
    long capacity();

    /// {@return the size of the largest message in bytes: half of the capacity without a header, and less than 1 GiB}
    long maxMessageByteSize();

    /// {@return the size of what the reader has not read, in bytes, including headers and claims that are open} Changes
    /// of other threads may not be visible yet.
    long unreadByteSize();

    /// {@return whether there are neither messages nor open claims}
    boolean isEmpty();
}
