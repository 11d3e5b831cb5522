package dev.arenakit.examples.calls;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// A file that is open for reading, as a descriptor for native calls. It belongs to the thread that has opened it.
final class NativeFile implements AutoCloseable {
    private static final int ENOENT = 2;

    private final Path path;
    private final Arena arena;
    private final int descriptor;

    private NativeFile(Path path, Arena arena) throws IOException {
        this.path = path;
        this.arena = arena;
        descriptor = new SystemCalls(arena).open(arena.allocateFrom(path.toString()));
        if (descriptor == -ENOENT) {
            throw new NoSuchFileException(path.toString());
        }
        check(descriptor, "open");
    }

    /// Opens a file.
    ///
    /// @throws UnsupportedOperationException on unknown systems
    static NativeFile open(Path path) throws IOException {
        Arena arena = Arena.ofConfined();
        try {
            return new NativeFile(path, arena);
        } catch (Throwable t) {
            arena.close();
            throw t;
        }
    }

    int descriptor() {
        return descriptor;
    }

    /// Returns the result of a call, if it has succeeded.
    long check(long result, String call) throws IOException {
        if (result < 0) {
            throw new IOException(call + " has failed: file=" + path + ", errno=" + -result);
        }
        return result;
    }

    /// Returns the exception for a block that is not within the file.
    EOFException end() {
        return new EOFException("The file ends within a block: file=" + path);
    }

    @Override
    public void close() {
        arena.close(); // Throws if the file is already closed: another file may have its number by now.
        SystemCalls.close(descriptor);
    }
}
