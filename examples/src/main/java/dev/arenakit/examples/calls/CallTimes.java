package dev.arenakit.examples.calls;

import dev.arenakit.examples.PairedTimes;
import dev.arenakit.examples.TemporaryDirectory;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Prints how long many native calls take, and how long a single call takes for the same work, as a table in Markdown.
public final class CallTimes {
    private static final int COUNT = 16;
    private static final int BLOCK_BYTE_SIZE = 64;

    @SuppressWarnings("restricted") // Links a function.
    private static final MethodHandle STRLEN = Linker.nativeLinker()
            .downcallHandle(Linker.nativeLinker().defaultLookup().findOrThrow("strlen"),
                    FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));

    private CallTimes() {}

    /// Runs the comparison.
    ///
    /// @param args the directory in which a directory for the files is created
    /// @throws Exception if files cannot be written or read
    public static void main(String[] args) throws Exception {
        run(System.out, Path.of(args[0]), 100_000_000);
    }

    static void run(PrintStream out, Path temporary, long roundNanos) throws IOException, InterruptedException {
        PairedTimes times = new PairedTimes(out, roundNanos);
        times.printHead("a call each", "one call");
        try (TemporaryDirectory created = TemporaryDirectory.in(temporary, "arenakit-calls-");
                Arena arena = Arena.ofConfined()) {
            Path file = Files.write(created.path().resolve("blocks"), new byte[COUNT * BLOCK_BYTE_SIZE]);
            MemorySegment positions = arena.allocate(JAVA_LONG, COUNT);
            MemorySegment strings = arena.allocate(ADDRESS, COUNT);
            for (int i = 0; i < COUNT; i++) {
                positions.setAtIndex(JAVA_LONG, i, (long) i * BLOCK_BYTE_SIZE);
                strings.setAtIndex(ADDRESS, i, arena.allocateFrom("string"));
            }
            MemorySegment blocks = arena.allocate(COUNT * BLOCK_BYTE_SIZE, JAVA_LONG.byteAlignment());
            try (BlockReader single = new PreadReader(file); BlockReader vectored = new PreadvReader(file)) {
                times.compare("pread, 64 bytes: preadv", COUNT, () -> read(single, positions, blocks),
                        () -> read(vectored, positions, blocks));
                try (CompiledBatch batch = CompiledBatch.compile(created.path());
                        BlockReader compiled = new CompiledReader(batch, file)) {
                    times.compare("pread, 64 bytes: a loop in C", COUNT, () -> read(single, positions, blocks),
                            () -> read(compiled, positions, blocks));
                    times.compare("strlen, 6 characters: a loop in C", COUNT, () -> lengths(strings),
                            () -> batch.stringLengths(strings));
                } catch (UnsupportedOperationException e) {
                    out.println("| a loop in C | skipped | " + e.getMessage() + " | |");
                }
            }
        }
    }

    private static long read(BlockReader reader, MemorySegment positions, MemorySegment blocks) throws IOException {
        reader.read(positions, blocks);
        return blocks.get(JAVA_LONG, 0);
    }

    /// Returns the sum of the lengths of strings. Their addresses are passed on unchanged.
    static long lengths(MemorySegment strings) {
        long sum = 0;
        try {
            for (long offset = 0; offset < strings.byteSize(); offset += ADDRESS.byteSize()) {
                sum += (long) STRLEN.invokeExact(strings.get(JAVA_LONG, offset));
            }
        } catch (Throwable t) {
            throw SystemCalls.unexpected(t);
        }
        return sum;
    }
}
