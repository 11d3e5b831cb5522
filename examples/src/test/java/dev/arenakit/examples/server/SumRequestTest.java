package dev.arenakit.examples.server;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.SegmentAllocator;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SumRequestTest {
    private static final byte[] TEXT = "1 20 300".getBytes(US_ASCII);

    @Test
    void sum_numbers_areAddedUp() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            assertThat(read(arena).sum(arena)).isEqualTo(321);
        }
    }

    @Test
    void read_memoryOfAnotherRequest_isDetected() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            SegmentAllocator same = SegmentAllocator.prefixAllocator(arena.allocate(4096));
            SumRequest first = read(same);
            assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> read(same))
                    .withMessageContaining("Another request has used the memory: id=7, expected=0");
            assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> first.sum(same))
                    .withMessageContaining("Another request has used the memory: id=7, expected=7");
        }
    }

    @Test
    void read_bodyThatEndsEarly_throws() {
        try (Arena arena = Arena.ofConfined()) {
            assertThatExceptionOfType(EOFException.class)
                    .isThrownBy(() -> SumRequest.read(7, body(), TEXT.length + 1, arena))
                    .withMessage("The client has closed the connection: read=8, byteSize=9");
        }
    }

    private static SumRequest read(SegmentAllocator allocator) throws IOException {
        return SumRequest.read(7, body(), TEXT.length, allocator);
    }

    private static InputStream body() {
        return new ByteArrayInputStream(TEXT);
    }
}
