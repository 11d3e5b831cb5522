package dev.arenakit.bench.contestant;

import java.nio.ByteBuffer;
import org.lwjgl.system.Configuration;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.openjdk.jmh.annotations.CompilerControl;

/// LWJGL's two ways to memory: its stack of a thread, and `nmemAlloc`, here of the C library.
///
/// Neither has a scope or zeroes, and raw addresses have no bounds. The library that LWJGL unpacks goes to the build folder.
public final class Lwjgl {
    static {
        Configuration.SHARED_LIBRARY_EXTRACT_PATH.set(BuildFolder.resolve("peers").toString());
    }

    // As many as the largest workload has.
    private static final int MOST = 100;

    private final long[] live = new long[MOST];
    private int count;

    /// Creates one without blocks.
    ///
    /// @throws UnavailableException when LWJGL has no library for this machine
    public Lwjgl() {
        try {
            MemoryUtil.nmemFree(MemoryUtil.nmemAlloc(Long.BYTES));
        } catch (LinkageError e) {
            throw new UnavailableException("LWJGL does not run here: " + e);
        }
    }

    /// {@return the stack of the calling thread, with a new frame, which the caller closes}
    @CompilerControl(CompilerControl.Mode.INLINE)
    public MemoryStack push() {
        return MemoryStack.stackPush();
    }

    /// Allocates a block on the stack, writes the value to its beginning and reads it back.
    ///
    /// @param stack    with an open frame
    /// @param byteSize size of the block
    /// @param value    to write
    /// @return what was read
    @CompilerControl(CompilerControl.Mode.INLINE)
    public static long onStack(MemoryStack stack, long byteSize, long value) {
        long address = stack.nmalloc(Long.BYTES, (int) byteSize);
        MemoryUtil.memPutLong(address, value);
        return MemoryUtil.memGetLong(address);
    }

    /// Allocates a buffer on the stack, writes the value to its beginning and reads it back.
    ///
    /// @param stack    with an open frame
    /// @param byteSize size of the buffer
    /// @param value    to write
    /// @return what was read
    @CompilerControl(CompilerControl.Mode.INLINE)
    public static long inBuffer(MemoryStack stack, long byteSize, long value) {
        ByteBuffer buffer = stack.malloc(Long.BYTES, (int) byteSize);
        buffer.putLong(0, value);
        return buffer.getLong(0);
    }

    /// Allocates a block of the C library, writes the value to its beginning and reads it back.
    ///
    /// @param byteSize size of the block
    /// @param value    to write
    /// @return what was read
    @CompilerControl(CompilerControl.Mode.INLINE)
    public long use(long byteSize, long value) {
        long address = MemoryUtil.nmemAlloc(byteSize);
        live[count++] = address;
        MemoryUtil.memPutLong(address, value);
        return MemoryUtil.memGetLong(address);
    }

    /// Frees all blocks of the C library.
    @CompilerControl(CompilerControl.Mode.INLINE)
    public void free() {
        while (count > 0) {
            MemoryUtil.nmemFree(live[--count]);
        }
    }
}
