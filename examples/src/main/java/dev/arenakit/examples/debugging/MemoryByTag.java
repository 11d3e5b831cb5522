package dev.arenakit.examples.debugging;

import dev.arenakit.MallocArena;
import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;

/// Allocates 30 MiB in an arena of the JDK, 50 MiB in a [MallocArena] and 70 MiB in a pool, and prints what the JVM's
/// native memory tracking counts.
public final class MemoryByTag {
    private static final long MIB = 1 << 20;

    private MemoryByTag() {}

    /// Runs the program.
    ///
    /// @param arguments none
    /// @throws IOException          if `jcmd` cannot be started
    /// @throws InterruptedException if this thread is interrupted
    public static void main(String[] arguments) throws IOException, InterruptedException {
        try (Arena confined = Arena.ofConfined();
                MallocArena malloc = MallocArena.ofConfined();
                SlabPool pool = SlabPool.create();
                SlabArena slabs = pool.openConfined()) {
            confined.allocate(30 * MIB);
            malloc.allocate(50 * MIB);
            slabs.allocate(70 * MIB);
            System.out.println(pool.stats());
            int _ = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                    Long.toString(ProcessHandle.current().pid()), "VM.native_memory", "summary")
                    .inheritIO()
                    .start()
                    .waitFor();
        }
    }
}
