package dev.arenakit.examples.server;

import dev.arenakit.SlabParcel;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// The memory of a request that asks for the sum of numbers.
///
/// Each request has a block, its canary, into which it writes its own number. The request finds the number there at its
/// end, unless another request has used the memory at the same time.
///
/// @param id     a number that no other request has, not 0
/// @param text   the body: positive numbers, separated by spaces
/// @param canary the block with the number of the request
record SumRequest(long id, MemorySegment text, MemorySegment canary) {
    private static final long CANARY_COUNT = 64;

    /// Reads the body of a request.
    ///
    /// @param zeroed provides the memory, which must be zeroed
    static SumRequest read(long id, InputStream body, int byteSize, SegmentAllocator zeroed) throws IOException {
        MemorySegment canary = zeroed.allocate(JAVA_LONG_UNALIGNED, CANARY_COUNT);
        SumRequest request = new SumRequest(id, zeroed.allocate(byteSize), canary);
        request.checkCanary(0);
        for (long i = 0; i < CANARY_COUNT; i++) {
            canary.setAtIndex(JAVA_LONG_UNALIGNED, i, id);
        }
        ByteBuffer buffer = request.text.asByteBuffer();
        ReadableByteChannel channel = Channels.newChannel(body);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                throw new EOFException("The client has closed the connection: read=" + buffer.position()
                        + ", byteSize=" + byteSize);
            }
        }
        return request;
    }

    /// Returns the same request in the arena of a parcel that the current thread has attached.
    SumRequest in(SlabParcel parcel) {
        return new SumRequest(id, parcel.segment(text), parcel.segment(canary));
    }

    /// Ends the request: parses its numbers and adds them up.
    long sum(SegmentAllocator allocator) {
        MemorySegment numbers = allocator.allocate(JAVA_LONG_UNALIGNED, text.byteSize() / 2 + 1);
        long count = 0;
        long number = 0;
        for (long i = 0; i < text.byteSize(); i++) {
            byte digit = text.get(JAVA_BYTE, i);
            if (digit == ' ') {
                numbers.setAtIndex(JAVA_LONG_UNALIGNED, count++, number);
                number = 0;
            } else {
                number = 10 * number + digit - '0';
            }
        }
        long sum = number;
        for (long i = 0; i < count; i++) {
            sum += numbers.getAtIndex(JAVA_LONG_UNALIGNED, i);
        }
        checkCanary(id);
        return sum;
    }

    private void checkCanary(long expected) {
        for (long i = 0; i < CANARY_COUNT; i++) {
            long found = canary.getAtIndex(JAVA_LONG_UNALIGNED, i);
            if (found != expected) {
                throw new AssertionError("Another request has used the memory: id=" + id + ", expected=" + expected
                        + ", found=" + found);
            }
        }
    }
}
