package dev.arenakit.bench.candidate.peer;

import org.lwjgl.system.Configuration;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.openjdk.jmh.annotations.CompilerControl;

/// LWJGL's two allocators: its stack for each thread, and `nmemAlloc`, which here is the C library's malloc.
///
/// Neither allocator has scopes or zeroes memory, and raw addresses have no bounds. LWJGL unpacks its library into the
/// build directory.
public final class Lwjgl {
    static {
        Configuration.SHARED_LIBRARY_EXTRACT_PATH.set(BuildDirectory.resolve("peers").toString());
    }

    private final AddressList live = new AddressList();

    /// Creates an instance without blocks.
    public Lwjgl() {}

    /// Loads LWJGL's library.
    ///
    /// @throws UnavailableException if LWJGL has none for this machine
    public static void load() {
        try {
            MemoryUtil.nmemFree(MemoryUtil.nmemAlloc(Long.BYTES));
        } catch (LinkageError e) {
            throw new UnavailableException("LWJGL does not run here: " + e);
        }
    }

    /// {@return the stack of the calling thread with a new frame, which the caller closes}
    @CompilerControl(CompilerControl.Mode.INLINE)
    public MemoryStack push() {
        return MemoryStack.stackPush();
    }

    /// Allocates a block on the stack, writes the value to its beginning and reads it back.
    ///
    /// @param stack    a stack with an open frame
    /// @param byteSize size of the block
    /// @param value    value to write
    /// @return the value read back
    @CompilerControl(CompilerControl.Mode.INLINE)
    public static long onStack(MemoryStack stack, long byteSize, long value) {
        long address = stack.nmalloc(Long.BYTES, (int) byteSize);
        MemoryUtil.memPutLong(address, value);
        return MemoryUtil.memGetLong(address);
    }

    /// Allocates a block with malloc, writes the value to its beginning and reads it back.
    ///
    /// @param byteSize size of the block
    /// @param value    value to write
    /// @return the value read back
    @CompilerControl(CompilerControl.Mode.INLINE)
    public long use(long byteSize, long value) {
        long address = allocate(byteSize);
        MemoryUtil.memPutLong(address, value);
        return MemoryUtil.memGetLong(address);
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    private long allocate(long byteSize) {
        long address = MemoryUtil.nmemAlloc(byteSize);
        if (address == 0) {
            throw new OutOfMemoryError("nmemAlloc failed: byteSize=" + byteSize);
        }
        live.add(address);
        return address;
    }

    /// Frees all blocks that were allocated with malloc.
    @CompilerControl(CompilerControl.Mode.INLINE)
    public void free() {
        while (!live.isEmpty()) {
            MemoryUtil.nmemFree(live.removeLast());
        }
    }
}
