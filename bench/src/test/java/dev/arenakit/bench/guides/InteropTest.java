package dev.arenakit.bench.guides;

import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import dev.arenakit.bench.candidate.peer.NettyBuffers;
import dev.arenakit.testing.ChildJvm;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Runs the table of `docs/migration.md` that says what is checked in memory of other libraries.
@Tag("full")
class InteropTest {
    private static final ValueLayout.OfLong LONG = JAVA_LONG_UNALIGNED.withOrder(BIG_ENDIAN);
    @AutoClose
    private static final SlabPool POOL = SlabPool.create();

    @Test
    void byteBuffer_ofAClosedArena_throws() {
        SlabArena arena = POOL.openConfined();
        MemorySegment segment = arena.allocate(64);
        ByteBuffer view = segment.asByteBuffer();
        view.putLong(0, 42);
        arena.close(); // From now on, the view throws.
        assertThatThrownBy(() -> view.getLong(0)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void byteBuf_overASegment_writesItsBytes() {
        try (SlabArena arena = POOL.openShared()) {
            MemorySegment segment = arena.allocate(64);
            ByteBuf buffer = Unpooled.wrappedBuffer(segment.asByteBuffer()).clear();
            buffer.writeLong(42);
            assertThat(segment.get(LONG, 0)).isEqualTo(42);
            assertThat(buffer.memoryAddress()).isEqualTo(segment.address());
            buffer.release();
            assertThat(segment.get(LONG, 0)).isEqualTo(42);
        }
    }

    @Test
    void byteBuf_withoutUnsafe_isChecked() {
        assertThat(ChildJvm.granted().run(Accesses.class).output().lines()).containsExactly(
                "outside: IndexOutOfBoundsException", "other thread: WrongThreadException",
                "closed: IllegalStateException");
    }

    @Test
    void byteBuf_withUnsafe_hasNoLifetime() {
        assertThat(ChildJvm.granted("--sun-misc-unsafe-memory-access=allow").run(Accesses.class).output().lines())
                .containsExactly("outside: IndexOutOfBoundsException", "other thread: 42", "closed: read");
    }

    /// The child process: accesses memory through Netty and prints the results.
    static final class Accesses {
        public static void main(String[] args) {
            NettyBuffers.adaptive(); // Netty logs to the JDK.
            ByteBuf buffer;
            try (Arena arena = POOL.openConfined()) {
                buffer = Unpooled.wrappedBuffer(arena.allocateFrom(LONG, 42).asByteBuffer());
                System.out.println("outside: " + outcome(() -> buffer.getLong(1)));
                System.out.println("other thread: " + outcome(() -> CompletableFuture
                        .supplyAsync(() -> buffer.getLong(0))
                        .join()));
            }
            // The memory is an idle slab of the pool, so that the access is harmless.
            String closed = outcome(() -> buffer.getLong(0));
            System.out.println("closed: " + (closed.matches("-?\\d+") ? "read" : closed));
        }

        private static String outcome(LongSupplier access) {
            try {
                return Long.toString(access.getAsLong());
            } catch (CompletionException e) {
                return String.valueOf(e.getCause()).replaceFirst(":.*", "").replaceFirst(".*\\.", "");
            } catch (RuntimeException e) {
                return e.getClass().getSimpleName();
            }
        }
    }
}
