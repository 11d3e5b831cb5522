package dev.arenakit.bench.candidate;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.internal.PlatformDependent;
import org.openjdk.jmh.annotations.CompilerControl;

/// Direct buffers of one of Netty's allocators, which are released together.
///
/// Netty neither writes files nor loads a library for them.
public final class NettyBuffers {
    /// Allows Netty to use `sun.misc.Unsafe`, if the JVM allows it too.
    public static final String ALLOW_UNSAFE = "-Dio.netty.noUnsafe=false";
    /// Forbids Netty to use `sun.misc.Unsafe`.
    public static final String DENY_UNSAFE = "-Dio.netty.noUnsafe=true";

    // Enough for the largest workload.
    private static final int MAX_BUFFERS = 100;

    private final ByteBufAllocator allocator;
    private final ByteBuf[] live = new ByteBuf[MAX_BUFFERS];
    private int count;

    /// Creates an instance without buffers.
    ///
    /// @param allocator allocator of the buffers
    public NettyBuffers(ByteBufAllocator allocator) {
        this.allocator = allocator;
    }

    /// Checks whether Netty uses Unsafe.
    ///
    /// @param unsafe whether Netty should use it
    /// @throws UnavailableException if the opposite is the case
    public static void require(boolean unsafe) {
        if (PlatformDependent.hasUnsafe() != unsafe) {
            throw new UnavailableException("Netty " + (unsafe ? "does not use" : "uses") + " Unsafe here; pass "
                    + (unsafe ? JdkInternals.ALLOW_UNSAFE + " " + ALLOW_UNSAFE : DENY_UNSAFE));
        }
    }

    /// Allocates a buffer, writes the value to its beginning and reads it back.
    ///
    /// @param byteSize size of the buffer
    /// @param value    value to write
    /// @return the value read back
    @CompilerControl(CompilerControl.Mode.INLINE)
    public long use(long byteSize, long value) {
        ByteBuf buffer = allocator.directBuffer((int) byteSize);
        live[count++] = buffer;
        buffer.setLong(0, value);
        return buffer.getLong(0);
    }

    /// Releases all buffers.
    @CompilerControl(CompilerControl.Mode.INLINE)
    public void release() {
        while (count > 0) {
            live[--count].release();
        }
    }
}
