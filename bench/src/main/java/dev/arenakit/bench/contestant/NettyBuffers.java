package dev.arenakit.bench.contestant;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.internal.PlatformDependent;
import org.openjdk.jmh.annotations.CompilerControl;

/// Direct buffers of one of Netty's allocators, which are released together.
///
/// Netty writes no files for them, and loads no library.
public final class NettyBuffers {
    /// Allows Netty its path through `sun.misc.Unsafe`, where the JVM does too.
    public static final String ALLOW_UNSAFE = "-Dio.netty.noUnsafe=false";
    /// Denies Netty that path.
    public static final String DENY_UNSAFE = "-Dio.netty.noUnsafe=true";

    // As many as the largest workload has.
    private static final int MOST = 100;

    private final ByteBufAllocator allocator;
    private final ByteBuf[] live = new ByteBuf[MOST];
    private int count;

    /// Creates one without buffers.
    ///
    /// @param allocator of the buffers
    public NettyBuffers(ByteBufAllocator allocator) {
        this.allocator = allocator;
    }

    /// Looks which path Netty has taken.
    ///
    /// @param unsafe whether it should be the one through Unsafe
    /// @throws UnavailableException when it is the other
    public static void require(boolean unsafe) {
        if (PlatformDependent.hasUnsafe() != unsafe) {
            throw new UnavailableException("Netty " + (unsafe ? "does not use" : "uses") + " Unsafe here, which takes "
                    + (unsafe ? JdkPeers.ALLOW_UNSAFE + " " + ALLOW_UNSAFE : DENY_UNSAFE));
        }
    }

    /// Allocates a buffer, writes the value to its beginning and reads it back.
    ///
    /// @param byteSize size of the buffer
    /// @param value    to write
    /// @return what was read
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
