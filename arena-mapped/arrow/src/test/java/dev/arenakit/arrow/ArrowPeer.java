package dev.arenakit.arrow;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.concurrent.TimeUnit;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// The consumer in C, `arrow_peer.c`.
final class ArrowPeer {
    private static final Path SOURCE = Path.of("src/test/c/arrow_peer.c").toAbsolutePath();

    private final SymbolLookup symbols;

    private ArrowPeer(SymbolLookup symbols) {
        this.symbols = symbols;
    }

    /// Compiles and loads the consumer. Without a C compiler, the test is skipped.
    ///
    /// @param arena the library is unloaded at its end
    static ArrowPeer load(Path directory, Arena arena) throws IOException, InterruptedException {
        Path output = directory.resolve("cc.txt");
        Process compiler;
        try {
            compiler = new ProcessBuilder("cc", "-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-pthread", "-shared",
                    "-fPIC", "-o", "libpeer.so", SOURCE.toString()).directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
        } catch (IOException e) {
            assumeTrue(false, "needs a C compiler: apt-get install gcc, " + e.getMessage());
            throw e;
        }
        if (!compiler.waitFor(1, TimeUnit.MINUTES)) {
            compiler.destroyForcibly();
        }
        assertThat(compiler.waitFor()).as(Files.readString(output)).isZero();
        return open(directory, arena);
    }

    /// Loads the consumer, which is compiled.
    @SuppressWarnings("restricted") // A consumer is native code.
    static ArrowPeer open(Path directory, Arena arena) {
        return new ArrowPeer(SymbolLookup.libraryLookup(directory.resolve("libpeer.so"), arena));
    }

    /// Calls a function whose arguments and whose result are `int64_t` or pointers.
    long call(String function, long... arguments) {
        ValueLayout[] layouts = Collections.nCopies(arguments.length, JAVA_LONG).toArray(ValueLayout[]::new);
        return call(symbols.findOrThrow(function).address(), FunctionDescriptor.of(JAVA_LONG, layouts), arguments);
    }

    /// Calls the function `release` of a struct.
    ///
    /// @param function the address of the function
    static void release(long function, long struct) {
        long _ = call(function, FunctionDescriptor.ofVoid(JAVA_LONG), struct);
    }

    @SuppressWarnings("restricted")
    private static long call(long function, FunctionDescriptor type, long... arguments) {
        Object[] boxed = Arrays.stream(arguments).boxed().toArray();
        try {
            Object result = Linker.nativeLinker()
                    .downcallHandle(MemorySegment.ofAddress(function), type)
                    .invokeWithArguments(boxed);
            return result == null ? 0 : (long) result;
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }
}
