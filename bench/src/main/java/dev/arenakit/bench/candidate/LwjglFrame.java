package dev.arenakit.bench.candidate;

import org.lwjgl.system.MemoryStack;

/// A frame of LWJGL's stack of the calling thread.
///
/// LWJGL checks whether the stack is full only if its checks are on. This class always checks it.
final class LwjglFrame implements PeerArena.Blocks {
    private final MemoryStack stack = MemoryStack.stackPush();

    @Override
    public long allocate(long byteSize) {
        if (byteSize > stack.getPointer() - Long.BYTES) {
            throw new OutOfMemoryError("The stack is full: byteSize=" + byteSize + ", free=" + stack.getPointer());
        }
        return stack.nmalloc(Long.BYTES, (int) byteSize);
    }

    @Override
    public void free() {
        stack.pop();
    }
}
