package dev.arenakit.arrow;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.Pipe;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.flatbuf.Footer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Channels that accept few bytes, that fail, and readers of a part of what was written.
class ArrowIpcChannelTest {
    private static final StructType TYPE = LayoutText.parse("""
            #pragma layout 2
            enum Side : uint8_t { BUY = 0, SELL = 1, };
            struct Order { int32_t id; enum Side side; char symbol[3]; };
            """);
    private static final MemorySegment ROWS = rows(5);

    private static MemorySegment rows(int count) {
        byte[] bytes = new byte[8 * count];
        for (int i = 0; i < count; i++) {
            bytes[8 * i] = (byte) i;
            bytes[8 * i + 4] = (byte) (i & 1);
            bytes[8 * i + 5] = (byte) ('a' + i);
        }
        return MemorySegment.ofArray(bytes);
    }

    private static byte[] written(ArrowIpc format) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        format.withBatchRows(2).write(Channels.newChannel(bytes), ROWS);
        return bytes.toByteArray();
    }

    @Test
    @Tag("full")
    void read_ofAStreamThatIsCut_failsOrReadsWholeBatches() throws IOException {
        byte[] whole = written(ArrowIpc.stream(TYPE));
        List<List<@Nullable Object>> rows = ArrowRows.ofStream(whole).rows();
        int failures = 0;
        for (int end = 0; end < whole.length; end++) {
            List<List<@Nullable Object>> read;
            try {
                read = ArrowRows.ofStream(Arrays.copyOf(whole, end)).rows();
            } catch (RuntimeException e) {
                failures++;
                continue;
            }
            // The format allows a stream to end between two messages.
            assertThat(read.size()).as("end %d", end).isIn(0, 2, 4, 5);
            assertThat(rows.subList(0, read.size())).as("end %d", end).isEqualTo(read);
        }
        assertThat(failures).isGreaterThan(whole.length / 2);
    }

    @Test
    void read_ofAFileThatIsCut_fails() throws IOException {
        byte[] whole = written(ArrowIpc.file(TYPE));
        for (int end = 0; end < whole.length; end++) {
            byte[] cut = Arrays.copyOf(whole, end);
            assertThatThrownBy(() -> ArrowRows.ofFile(cut)).isInstanceOf(RuntimeException.class);
        }
    }

    @Test
    void write_toAChannelThatAcceptsFewBytes_writesAll() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ArrowIpc.file(TYPE).withBatchRows(2).write(new SmallChannel(bytes, Integer.MAX_VALUE), ROWS);
        assertThat(bytes.toByteArray()).isEqualTo(written(ArrowIpc.file(TYPE)));
    }

    @Test
    void write_toAFile_writesTheSameBytes(@TempDir Path directory) throws IOException {
        Path path = directory.resolve("orders.arrow");
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ArrowIpc.file(TYPE).withBatchRows(2).write(file, ROWS);
        }
        assertThat(Files.readAllBytes(path)).isEqualTo(written(ArrowIpc.file(TYPE)));
    }

    @Test
    @Tag("full")
    void write_toAChannelThatFails_throwsItsException() throws IOException {
        int byteSize = written(ArrowIpc.file(TYPE)).length;
        for (int limit = 0; limit < byteSize; limit += 7) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            WritableByteChannel channel = new SmallChannel(bytes, limit);
            assertThatIOException().isThrownBy(() -> ArrowIpc.file(TYPE).withBatchRows(2).write(channel, ROWS))
                    .withMessage("disk is full");
            assertThat(bytes.toByteArray()).isEqualTo(Arrays.copyOf(written(ArrowIpc.file(TYPE)), limit));
        }
    }

    @Test
    void close_afterTheChannelHasFailed_writesNothing() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int begin = written(ArrowIpc.stream(TYPE)).length / 2;
        try (ArrowWriter writer = ArrowIpc.stream(TYPE).withBatchRows(1).open(new SmallChannel(bytes, begin))) {
            assertThatIOException().isThrownBy(() -> writer.write(rows(100)));
        }
        assertThat(bytes.size()).isEqualTo(begin);
    }

    @Test
    void write_toANonBlockingChannel_isRefused() throws IOException {
        Pipe pipe = Pipe.open();
        try (Pipe.SinkChannel sink = pipe.sink(); Pipe.SourceChannel _ = pipe.source()) {
            sink.configureBlocking(false);
            assertThatThrownBy(() -> ArrowIpc.write(sink, TYPE, ROWS))
                    .isInstanceOf(IllegalBlockingModeException.class);
        }
    }

    @Test
    void write_ofBodies_beginsAtMultiplesOf64() throws IOException {
        ByteBuffer file = ByteBuffer.wrap(written(ArrowIpc.file(TYPE)));
        int footerByteSize = Integer.reverseBytes(file.getInt(file.limit() - 10));
        Footer footer = Footer.getRootAsFooter(file.slice(file.limit() - 10 - footerByteSize, footerByteSize));
        assertThat(footer.recordBatchesLength()).isEqualTo(3);
        for (int i = 0; i < footer.recordBatchesLength(); i++) {
            long body = footer.recordBatches(i).offset() + footer.recordBatches(i).metaDataLength();
            assertThat(body % 64).isZero();
        }
    }

    @Test
    void write_toAChannelThatIsRefusedByTheType_writesNothing() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        assertThatIllegalArgumentException().isThrownBy(() -> ArrowIpc.write(Channels.newChannel(bytes), TYPE,
                ROWS.asSlice(1)));
        assertThat(bytes.size()).isZero();
    }

    /// Accepts at most 3 bytes at a time, and fails at a limit.
    private static final class SmallChannel implements WritableByteChannel {
        private final ByteArrayOutputStream bytes;
        private final int limit;

        SmallChannel(ByteArrayOutputStream bytes, int limit) {
            this.bytes = bytes;
            this.limit = limit;
        }

        @Override
        public int write(ByteBuffer from) throws IOException {
            if (bytes.size() == limit) {
                throw new IOException("disk is full");
            }
            int count = Math.min(from.remaining(), Math.min(3, limit - bytes.size()));
            for (int i = 0; i < count; i++) {
                bytes.write(from.get());
            }
            return count;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }
}
