package dev.arenakit.bench.guides;

import dev.arenakit.SlabArena;
import dev.arenakit.SlabParcel;
import dev.arenakit.SlabPool;
import dev.arenakit.bench.candidate.peer.NettyBuffers;
import dev.arenakit.mapped.io.SegmentWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.util.IllegalReferenceCountException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Runs both columns of the section "Netty" of `docs/migration.md`.
class FromNettyTest {
    private static final ValueLayout.OfLong LONG = JAVA_LONG_UNALIGNED.withOrder(BIG_ENDIAN);
    @AutoClose
    private static final SlabPool POOL = SlabPool.create();

    private final ByteBufAllocator allocator = NettyBuffers.adaptive();

    @Test
    void rows_areTested() throws IOException {
        Guide.section("Netty", FromNettyTest.class).assertRowsAreTested();
    }

    @Test
    void access_afterTheRelease_throws() {
        ByteBuf buffer = allocator.directBuffer(64);
        buffer.writeLong(42);
        byte[] there = ByteBufUtil.getBytes(buffer);
        buffer.release();
        assertThatThrownBy(() -> buffer.getLong(0)).isInstanceOf(IllegalReferenceCountException.class);

        SlabArena arena = POOL.openConfined();
        MemorySegment segment = arena.allocate(64);
        segment.set(LONG, 0, 42);
        byte[] here = segment.asSlice(0, 8).toArray(JAVA_BYTE);
        arena.close();
        assertThatThrownBy(() -> segment.get(LONG, 0)).isInstanceOf(IllegalStateException.class);
        assertThat(here).isEqualTo(there);
    }

    @Test
    void anotherThread_canTakeTheMemory() {
        ByteBuf buffer = allocator.directBuffer(64).writeLong(42);
        buffer.retain();
        CompletableFuture<Long> there = CompletableFuture.supplyAsync(() -> {
            long read = buffer.readLong();
            buffer.release();
            return read;
        });
        buffer.release();

        CompletableFuture<Long> here;
        try (SlabArena arena = POOL.openConfined()) {
            MemorySegment segment = arena.allocate(64);
            segment.set(LONG, 0, 42);
            SlabParcel parcel = arena.detach();
            here = CompletableFuture.supplyAsync(() -> {
                try (SlabArena _ = parcel.attach()) {
                    return parcel.segment(segment).get(LONG, 0);
                }
            });
        }
        assertThat(here.join()).isEqualTo(there.join());
        assertThat(buffer.refCnt()).isZero();
        assertThat(POOL.stats().openArenas()).isZero();
    }

    @Test
    void text_endsWithANulHereAlone() {
        ByteBuf buffer = allocator.directBuffer(64);
        buffer.writeCharSequence("text", UTF_8);
        byte[] there = ByteBufUtil.getBytes(buffer);
        buffer.release();
        try (SlabArena arena = POOL.openConfined()) {
            MemorySegment segment = arena.allocate(64).fill((byte) 7);
            segment.setString(0, "text");
            assertThat(segment.asSlice(0, 4).toArray(JAVA_BYTE)).isEqualTo(there);
            assertThat(segment.get(JAVA_BYTE, 4)).isZero();
            assertThat(there).hasSize(4);
        }
    }

    @Test
    void parts_areWrittenTogether(@TempDir Path directory) throws IOException {
        Path there = directory.resolve("there");
        Path here = directory.resolve("here");
        {
            ByteBuf head = allocator.directBuffer(8).writeLong(42);
            ByteBuf body = allocator.directBuffer(64).writeZero(64);
            try (FileChannel channel = FileChannel.open(there, CREATE, WRITE)) {
                Unpooled.wrappedBuffer(head, body).readBytes(channel, 72);
            }
            head.release();
            body.release();
        }
        try (SlabArena arena = POOL.openConfined(); SegmentWriter writer = SegmentWriter.open(here, CREATE, WRITE)) {
            MemorySegment head = arena.allocateFrom(LONG, 42);
            MemorySegment body = arena.allocate(64);
            writer.writeFully(List.of(head, body));
        }
        assertThat(here).hasSize(72).hasSameBinaryContentAs(there);
    }
}
