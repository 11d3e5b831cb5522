package dev.arenakit.bench.micro;

import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.candidate.Libc;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Measures the cost of several system calls against a single call that does the same work: buffers of 64 bytes are
/// written to `/dev/null`, or read from a file in the page cache.
///
/// The figure is for all buffers together. Most of the figure is entering and leaving the system. The downcall itself
/// is a small part.
@BenchmarkName(value = "vectored", baseline = "a call each",
        measures = "Reads or writes buffers of 64 bytes by a system call each, or by one call for all.")
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = JvmArgs.NATIVE_ACCESS)
public class Vectored {
    private static final long BYTE_SIZE = 64;
    private static final int MOST = 16;
    private static final int READ_WRITE = 2; // O_RDWR of Linux

    private static final MethodHandle OPEN = Libc.handle("open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
            Linker.Option.firstVariadicArg(2));
    private static final MethodHandle CLOSE = Libc.handle("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle WRITE = Libc.handle("write",
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle WRITEV = Libc.handle("writev",
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle PREAD = Libc.handle("pread",
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle PREADV = Libc.handle("preadv",
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG));

    /// Number of buffers.
    @Param({"1", "4", "16"})
    public int buffers;

    /// Whether the buffers are written, by `write` or `writev`, or read, by `pread` or `preadv`.
    @Param({"write", "read"})
    public String direction = "";

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment memory = arena.allocate(MOST * BYTE_SIZE, Long.BYTES);
    // An array of `struct iovec`: address and size of each buffer.
    private final MemorySegment vector = arena.allocate(JAVA_LONG, 2 * MOST);
    private Path path = Path.of("");
    private boolean write;
    private int nowhere;
    private int file;

    /// Creates the file, and opens both files.
    @Setup
    public void open() throws Throwable {
        write = direction.equals("write");
        for (int i = 0; i < MOST; i++) {
            vector.setAtIndex(JAVA_LONG, 2L * i, memory.address() + i * BYTE_SIZE);
            vector.setAtIndex(JAVA_LONG, 2L * i + 1, BYTE_SIZE);
        }
        path = Files.createTempFile("arenakit-bench-", null);
        Files.write(path, new byte[(int) (MOST * BYTE_SIZE)]);
        nowhere = open(Path.of("/dev/null"));
        file = open(path);
    }

    /// Closes both files, and deletes the created one.
    @TearDown
    public void close() throws Throwable {
        close(nowhere);
        close(file);
        Files.delete(path);
        arena.close();
    }

    private int open(Path name) throws Throwable {
        int descriptor = (int) OPEN.invokeExact(arena.allocateFrom(name.toString()), READ_WRITE);
        if (descriptor < 0) {
            throw new IOException("Cannot open: path=" + name);
        }
        return descriptor;
    }

    private static void close(int descriptor) throws Throwable {
        int failed = (int) CLOSE.invokeExact(descriptor);
        if (failed != 0) {
            throw new IOException("Cannot close: descriptor=" + descriptor);
        }
    }

    /// One call for each buffer.
    @Benchmark
    @CandidateName("a call each")
    public long each() throws Throwable {
        long bytes = 0;
        for (int i = 0; i < buffers; i++) {
            long offset = i * BYTE_SIZE;
            bytes += write
                    ? (long) WRITE.invokeExact(nowhere, memory.address() + offset, BYTE_SIZE)
                    : (long) PREAD.invokeExact(file, memory.address() + offset, BYTE_SIZE, offset);
        }
        return all(bytes);
    }

    /// One call for all buffers.
    @Benchmark
    @CandidateName("one vectored call")
    public long vectored() throws Throwable {
        return all(write
                ? (long) WRITEV.invokeExact(nowhere, vector.address(), buffers)
                : (long) PREADV.invokeExact(file, vector.address(), buffers, 0L));
    }

    private long all(long bytes) throws IOException {
        if (bytes != buffers * BYTE_SIZE) {
            throw new IOException("Not all bytes: done=" + bytes + ", asked=" + buffers * BYTE_SIZE);
        }
        return bytes;
    }
}
