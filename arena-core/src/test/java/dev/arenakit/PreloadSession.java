package dev.arenakit;

import dev.arenakit.internal.Memory;

/// A JVM in which another library may replace malloc.
final class PreloadSession {
    /// A size that nothing else in the process allocates.
    static final int CONSPICUOUS = 123_457;

    public static void main(String[] arguments) {
        NativeAllocator libc = NativeAllocator.libc();
        switch (arguments[0]) {
            case "overrun" -> {
                long address = libc.allocate(10, 8);
                // Not the check value of glibc's debug library, which depends on the address and may be 0. It also
                // fills the block, as the library looks for its value from the end backwards, over the block as well.
                byte behind = (byte) (Memory.getByte(address + 10) + 1);
                Memory.segment(address, 11).fill(behind);
                libc.free(address, 10, 8);
                System.out.println("not found");
            }
            case "serve" -> {
                AllocatorSession.run(libc);
                System.out.println("served");
            }
            default -> {
                libc.free(libc.allocate(CONSPICUOUS, 8), CONSPICUOUS, 8);
                System.out.println("done");
            }
        }
    }
}
