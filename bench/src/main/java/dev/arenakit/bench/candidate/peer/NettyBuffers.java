package dev.arenakit.bench.candidate.peer;

import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.internal.PlatformDependent;
import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.JdkLoggerFactory;
import java.util.Arrays;
import org.openjdk.jmh.annotations.CompilerControl;

/// Direct buffers of a Netty allocator. They are released together.
///
/// Netty neither writes files nor loads a library for these buffers.
public final class NettyBuffers implements PeerArena.Blocks {
    /// Allows Netty to use `sun.misc.Unsafe`, if the JVM allows it too.
    public static final String ALLOW_UNSAFE = "-Dio.netty.noUnsafe=false";

    static {
        logToTheJdk();
    }

    private static final int INITIAL_CAPACITY = 16;

    private final ByteBufAllocator allocator;
    private ByteBuf[] live = new ByteBuf[INITIAL_CAPACITY];
    private int count;

    /// Creates an instance without buffers.
    ///
    /// @param allocator allocator of the buffers
    public NettyBuffers(ByteBufAllocator allocator) {
        this.allocator = allocator;
    }

    /// Makes Netty log to the JDK's logger, before any of its classes that log is loaded. Otherwise it takes SLF4J,
    /// which is on the class path of other peers, and which warns that it has no implementation.
    static void logToTheJdk() {
        InternalLoggerFactory.setDefaultFactory(JdkLoggerFactory.INSTANCE);
    }

    /// {@return a new adaptive allocator of direct buffers}
    public static ByteBufAllocator adaptive() {
        return new AdaptiveByteBufAllocator(true);
    }

    /// Checks that Netty uses Unsafe.
    ///
    /// @throws UnavailableException if it does not
    public static void requireUnsafe() {
        if (!PlatformDependent.hasUnsafe()) {
            throw new UnavailableException("Netty does not use Unsafe here; pass " + JdkInternals.ALLOW_UNSAFE + " "
                    + ALLOW_UNSAFE);
        }
    }

    /// Allocates a buffer, writes the value to its beginning and reads it back.
    ///
    /// @param byteSize size of the buffer
    /// @param value    value to write
    /// @return the value read back
    @CompilerControl(CompilerControl.Mode.INLINE)
    public long use(long byteSize, long value) {
        ByteBuf buffer = buffer((int) byteSize);
        buffer.setLong(0, value);
        return buffer.getLong(0);
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    @Override
    public long allocate(long byteSize) {
        if (byteSize > Integer.MAX_VALUE) {
            throw new OutOfMemoryError("Too large for a buffer: byteSize=" + byteSize);
        }
        return buffer((int) byteSize).memoryAddress();
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    private ByteBuf buffer(int byteSize) {
        ByteBuf buffer = allocator.directBuffer(byteSize);
        if (count == live.length) {
            live = Arrays.copyOf(live, 2 * count);
        }
        live[count++] = buffer;
        return buffer;
    }

    /// Releases all buffers.
    @CompilerControl(CompilerControl.Mode.INLINE)
    @Override
    public void free() {
        while (count > 0) {
            live[--count].release();
        }
    }
}
