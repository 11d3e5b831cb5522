package dev.arenakit.examples.calls;

import dev.arenakit.NativeCallException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

/// The function of `batch.c`, compiled by the C compiler of the machine.
///
/// The address is known only after the library is loaded, but the handle is `static final` nevertheless: a handle that
/// is linked without an address takes the address as its first argument.
@SuppressWarnings("restricted") // This class links a function and loads a library.
final class CompiledBatch implements AutoCloseable {
    private static final String SOURCE = "batch.c";

    private static final MethodHandle STRING_LENGTHS = Linker.nativeLinker()
            .downcallHandle(FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_LONG));

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment stringLengths;

    private CompiledBatch(Path library) {
        try {
            stringLengths = SymbolLookup.libraryLookup(library, arena).findOrThrow("string_lengths");
        } catch (Throwable t) {
            arena.close();
            throw t;
        }
    }

    /// Compiles and loads the function.
    ///
    /// @param directory receives the source and the library, which the caller deletes
    /// @throws UnsupportedOperationException if there is no C compiler
    static CompiledBatch compile(Path directory) throws IOException, InterruptedException {
        Path library = directory.resolve("libbatch.so").toAbsolutePath();
        Path messages = directory.resolve("cc.txt");
        try (InputStream source = Objects.requireNonNull(CompiledBatch.class.getResourceAsStream(SOURCE))) {
            Files.copy(source, directory.resolve(SOURCE), REPLACE_EXISTING);
        }
        Process compiler;
        try {
            compiler = new ProcessBuilder("cc", "-O2", "-Wall", "-Wextra", "-shared", "-fPIC", "-o", library.toString(),
                    SOURCE).directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(messages.toFile())
                    .start();
        } catch (IOException e) {
            throw new UnsupportedOperationException("There is no C compiler: cc cannot be started", e);
        }
        if (compiler.waitFor() != 0) {
            throw new IOException("cc has failed: " + Files.readString(messages, UTF_8));
        }
        return new CompiledBatch(library);
    }

    /// Returns the sum of the lengths of strings.
    ///
    /// @param strings array of pointers to strings of C
    long stringLengths(MemorySegment strings) {
        try {
            return (long) STRING_LENGTHS.invokeExact(stringLengths, strings, strings.byteSize() / ADDRESS.byteSize());
        } catch (Throwable t) {
            throw NativeCallException.unexpected(t);
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
