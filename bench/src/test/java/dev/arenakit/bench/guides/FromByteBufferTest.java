package dev.arenakit.bench.guides;

import dev.arenakit.SlabPool;
import dev.arenakit.mapped.io.MappedWindow;
import dev.arenakit.mapped.io.MappedWindows;
import dev.arenakit.mapped.io.SegmentWriter;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.channels.FileChannel.MapMode.READ_ONLY;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Runs both columns of the section "ByteBuffer and NIO" of `docs/migration.md`, and the operations of NIO that it
/// names.
class FromByteBufferTest {
    private static final ValueLayout.OfInt INT = JAVA_INT_UNALIGNED.withOrder(BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG = JAVA_LONG_UNALIGNED.withOrder(BIG_ENDIAN);
    @AutoClose
    private static final SlabPool POOL = SlabPool.create();
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    /// From JDK 26 on, asynchronous channels check buffers before they start.
    private static final boolean REFUSES_AT_ONCE = Runtime.version().feature() >= 26;

    @Test
    void rows_areTested() throws IOException {
        Guide.section("ByteBuffer and NIO", FromByteBufferTest.class).assertRowsAreTested();
    }

    @Test
    void allocate_isZeroed() {
        try (Arena arena = POOL.openConfined()) {
            ByteBuffer there = ByteBuffer.allocateDirect(64);
            MemorySegment here = arena.allocate(64);
            assertThat(here.mismatch(MemorySegment.ofBuffer(there))).isEqualTo(-1);
        }
    }

    @Test
    void put_writesTheSameBytes() {
        try (Arena arena = POOL.openConfined()) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(64);
            MemorySegment segment = arena.allocate(64);
            buffer.putLong(8, 42);
            segment.set(LONG, 8, 42);
            assertThat(segment.mismatch(MemorySegment.ofBuffer(buffer))).isEqualTo(-1);
        }
    }

    @Test
    void writeFully_writesTheBytesOfTheBuffer(@TempDir Path directory) throws IOException {
        Path there = directory.resolve("there");
        Path here = directory.resolve("here");
        ByteBuffer buffer = ByteBuffer.allocateDirect(64).putLong(8, 42);
        try (FileChannel channel = FileChannel.open(there, CREATE, WRITE)) {
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        }
        try (Arena arena = POOL.openConfined(); SegmentWriter writer = SegmentWriter.open(here, CREATE, WRITE)) {
            MemorySegment segment = arena.allocate(64);
            segment.set(LONG, 8, 42);
            writer.writeFully(segment);
        }
        assertThat(here).hasSameBinaryContentAs(there);
    }

    @Test
    void window_hasTheBytesOfTheMapping(@TempDir Path directory) throws IOException {
        Path file = Files.write(directory.resolve("file"), new byte[]{1, 2, 3});
        try (FileChannel channel = FileChannel.open(file);
                MappedWindows windows = MappedWindows.builder(file).confined().open()) {
            long size = channel.size();
            ByteBuffer there = channel.map(READ_ONLY, 0, size);
            try (MappedWindow here = windows.lease(0, size)) {
                assertThat(here.segment().mismatch(MemorySegment.ofBuffer(there))).isEqualTo(-1);
            }
        }
    }

    @Test
    void view_isBigEndian() {
        ToIntFunction<ByteBuffer> sum = buffer -> buffer.getInt() + buffer.getInt();
        Library library = new Library(sum);
        ByteBuffer buffer = ByteBuffer.allocateDirect(8).putInt(0, 40).putInt(4, 2);
        try (Arena arena = POOL.openConfined()) {
            MemorySegment segment = arena.allocate(8);
            segment.set(INT, 0, 40);
            segment.set(INT, 4, 2);
            int there = library.accept(buffer);
            int here = library.accept(segment.asByteBuffer());
            assertThat(here).isEqualTo(there).isEqualTo(42);
        }
    }

    private record Library(ToIntFunction<ByteBuffer> function) {
        int accept(ByteBuffer buffer) {
            return function.applyAsInt(buffer);
        }
    }

    @Test
    void channels_takeAllViews(@TempDir Path directory) throws IOException {
        try (Arena confined = POOL.openConfined();
                Arena shared = POOL.openShared();
                FileChannel file = FileChannel.open(directory.resolve("file"), CREATE, READ, WRITE);
                ServerSocketChannel server = ServerSocketChannel.open().bind(ANY_PORT);
                SocketChannel socket = SocketChannel.open(server.getLocalAddress());
                SocketChannel accepted = server.accept();
                DatagramChannel datagrams = DatagramChannel.open().bind(ANY_PORT)) {
            for (Arena arena : new Arena[]{confined, shared}) {
                MemorySegment segment = arena.allocate(64);
                assertThat(file.write(segment.asByteBuffer(), 0)).isEqualTo(64);
                assertThat(file.read(segment.asByteBuffer(), 0)).isEqualTo(64);
                assertThat(socket.write(segment.asByteBuffer())).isEqualTo(64);
                assertThat(accepted.read(segment.asByteBuffer())).isEqualTo(64);
                assertThat(datagrams.send(segment.asByteBuffer(), datagrams.getLocalAddress())).isEqualTo(64);
                assertThat(datagrams.receive(segment.asByteBuffer())).isNotNull();
                Pipe pipe = Pipe.open();
                try (Pipe.SinkChannel sink = pipe.sink(); Pipe.SourceChannel end = pipe.source()) {
                    assertThat(sink.write(segment.asByteBuffer())).isEqualTo(64);
                    assertThat(end.read(segment.asByteBuffer())).isEqualTo(64);
                }
            }
        }
    }

    @Test
    void asynchronousSocketChannel_refusesConfinedViews() throws Exception {
        try (Arena confined = POOL.openConfined();
                Arena shared = POOL.openShared();
                AsynchronousServerSocketChannel server = AsynchronousServerSocketChannel.open().bind(ANY_PORT);
                AsynchronousSocketChannel socket = AsynchronousSocketChannel.open()) {
            socket.connect(server.getLocalAddress()).get();
            ThrowingCallable write = () -> socket.write(confined.allocate(64).asByteBuffer()).get();
            if (REFUSES_AT_ONCE) {
                assertThatIllegalArgumentException().isThrownBy(write).withMessage("Buffer is thread confined");
            } else {
                assertThatThrownBy(write)
                        .hasRootCauseInstanceOf(IllegalStateException.class)
                        .hasRootCauseMessage("Confined session not supported")
                        .cause()
                        .isInstanceOf(IOException.class);
            }
            assertThat(socket.write(shared.allocate(64).asByteBuffer()).get()).isEqualTo(64);
        }
    }

    @Test
    void asynchronousFileChannel_neverCompletesWithConfinedViews_orRefusesThem(@TempDir Path directory)
            throws Exception {
        CompletableFuture<Void> task = new CompletableFuture<>();
        try (Arena confined = POOL.openConfined();
                Arena shared = POOL.openShared();
                ExecutorService threads = watched(task);
                AsynchronousFileChannel channel = AsynchronousFileChannel.open(directory.resolve("file"),
                        Set.of(CREATE, WRITE), threads)) {
            ByteBuffer view = confined.allocate(64).asByteBuffer();
            if (REFUSES_AT_ONCE) {
                assertThatIllegalArgumentException().isThrownBy(() -> channel.write(view, 0))
                        .withMessage("Buffer is thread confined");
            } else {
                Future<Integer> never = channel.write(view, 0);
                assertThatThrownBy(task::get).isInstanceOf(ExecutionException.class)
                        .hasCauseInstanceOf(WrongThreadException.class);
                assertThat(never.isDone()).isFalse();
            }
            assertThat(channel.write(shared.allocate(64).asByteBuffer(), 0).get()).isEqualTo(64);
        }
    }

    /// Returns an executor of one thread that reports the end of its first task.
    private static ExecutorService watched(CompletableFuture<Void> first) {
        return new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>()) {
            @Override
            public void execute(Runnable task) {
                super.execute(() -> {
                    try {
                        task.run();
                        first.complete(null);
                    } catch (WrongThreadException e) {
                        first.completeExceptionally(e);
                    }
                });
            }
        };
    }

    @Test
    void close_afterAnAsynchronousChannelWasClosed_isRefused() throws Exception {
        Arena arena = Arena.ofShared();
        try (AsynchronousServerSocketChannel server = AsynchronousServerSocketChannel.open().bind(ANY_PORT)) {
            Future<Integer> read;
            try (AsynchronousSocketChannel socket = AsynchronousSocketChannel.open()) {
                socket.connect(server.getLocalAddress()).get();
                read = socket.read(arena.allocate(64).asByteBuffer());
            }
            assertThatThrownBy(read::get).isInstanceOf(ExecutionException.class);
            assertThatThrownBy(arena::close).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    @SuppressWarnings("restricted")
    void asByteBuffer_refusesSegmentsThatABufferCannotHave() {
        MemorySegment large = MemorySegment.ofAddress(4096).reinterpret(1L << 31);
        int limit = Integer.MAX_VALUE - 8;
        assertThatThrownBy(large.asSlice(0, limit + 1L)::asByteBuffer).isInstanceOf(IllegalStateException.class);
        assertThat(large.asSlice(0, limit).asByteBuffer().capacity()).isEqualTo(limit);
        assertThatThrownBy(() -> MemorySegment.ofArray(new long[1]).asByteBuffer())
                .isInstanceOf(UnsupportedOperationException.class);
    }
}
