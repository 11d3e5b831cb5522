package dev.arenakit.examples.libc;

import dev.arenakit.MallocArena;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Exchanges blocks with the C library: a [MallocArena] frees what C has allocated, and C resizes what the arena has
/// allocated.
@SuppressWarnings("restricted") // C returns pointers without sizes.
public final class OwnershipExample {
    private static final long FIRST_CAPACITY = 16;

    private OwnershipExample() {}

    /// Prints the path and the lines of a file.
    ///
    /// @param args the file
    /// @throws IOException if the file does not exist
    public static void main(String[] args) throws IOException {
        run(System.out, Path.of(args[0]));
    }

    static void run(PrintStream out, Path file) throws IOException {
        try (MallocArena arena = MallocArena.ofConfined()) {
            MemorySegment path = realPath(arena, file);
            out.println(path.getString(0));
            printLines(out, arena, path);
            out.println(arena.stats().liveBlocks() + " blocks are left to the arena");
        }
    }

    /// `realpath` allocates its result, which the caller must free.
    private static MemorySegment realPath(MallocArena arena, Path file) throws IOException {
        MemorySegment result = LibcCalls.realpath(arena.allocateFrom(file.toString()), MemorySegment.NULL);
        if (result.address() == 0) {
            throw new IOException("realpath has failed: file=" + file);
        }
        return arena.adopt(result.reinterpret(LibcCalls.strlen(result) + 1)); // closing the arena frees it
    }

    /// `getline` takes over the block that it is given: it resizes the block by `realloc` when a line is longer.
    private static void printLines(PrintStream out, MallocArena arena, MemorySegment path) throws IOException {
        MemorySegment line = arena.allocate(ADDRESS);
        MemorySegment capacity = arena.allocate(JAVA_LONG);
        MemorySegment mode = arena.allocateFrom("r");
        MemorySegment buffer = arena.allocate(FIRST_CAPACITY);
        MemorySegment stream = LibcCalls.fopen(path, mode);
        if (stream.address() == 0) {
            throw new IOException("fopen has failed: path=" + path.getString(0));
        }
        line.set(ADDRESS, 0, arena.release(buffer)); // of C from here on
        capacity.set(JAVA_LONG, 0, FIRST_CAPACITY);
        try {
            while (LibcCalls.getline(line, capacity, stream) >= 0) {
                MemorySegment text = line.get(ADDRESS, 0).reinterpret(capacity.get(JAVA_LONG, 0));
                out.print(capacity.get(JAVA_LONG, 0) + " bytes hold " + text.getString(0));
            }
        } finally {
            LibcCalls.fclose(stream);
            arena.adopt(line.get(ADDRESS, 0).reinterpret(capacity.get(JAVA_LONG, 0))); // of the arena again
        }
    }
}
