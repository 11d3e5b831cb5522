package com.example.app;

import com.example.libc.__compar_fn_t;
import com.example.libc.div_t;
import com.example.libc.libc_h;
import com.example.libc.stat;
import dev.arenakit.SlabPool;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;

import static com.example.libc.libc_h.C_INT;
import static com.example.libc.libc_h.C_POINTER;
import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

/// Calls functions of libc with memory of a pool.
public final class Main {
    private static final SlabPool POOL = SlabPool.create();
    private static final MemorySegment COMPARE = __compar_fn_t.allocate(Main::compare, Arena.global());

    private static final int DONE = 0;
    private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = CALL_STATE.varHandle(groupElement("errno"));

    // The generated handle does not capture errno. The function is linked again with the option that does.
    private static final MethodHandle STAT = Linker.nativeLinker()
            .downcallHandle(libc_h.stat$address(), libc_h.stat$descriptor(), Linker.Option.captureCallState("errno"));

    private Main() {}

    /// Calls the functions.
    ///
    /// @param args none
    /// @throws IOException if `pom.xml` cannot be found
    public static void main(String[] args) throws IOException {
        parse();
        divide();
        sort();
        System.out.println(byteSize(Path.of("pom.xml")) > 0);
        try {
            byteSize(Path.of("missing"));
        } catch (NoSuchFileException e) {
            System.out.println("no such file: " + e.getMessage());
        }
    }

    private static void parse() {
        try (Arena arena = POOL.openConfined()) {
            MemorySegment text = arena.allocateFrom("12345 apples");
            MemorySegment end = arena.allocate(C_POINTER);
            long number = libc_h.strtol(text, end, 10);
            System.out.println(number + ", then \"" + end.get(C_POINTER, 0).getString(0) + "\"");
        }
    }

    private static void divide() {
        try (Arena arena = POOL.openConfined()) {
            MemorySegment result = libc_h.div(arena, 7, 2);
            System.out.println("7 / 2 = " + div_t.quot(result) + ", remainder " + div_t.rem(result));
        }
    }

    private static void sort() {
        try (Arena arena = POOL.openConfined()) {
            MemorySegment numbers = arena.allocateFrom(C_INT, 3, 1, 2);
            libc_h.qsort(numbers, 3, C_INT.byteSize(), COMPARE);
            System.out.println(Arrays.toString(numbers.toArray(C_INT)));
        }
    }

    private static int compare(MemorySegment a, MemorySegment b) {
        return Integer.compare(a.reinterpret(C_INT.byteSize()).get(C_INT, 0),
                b.reinterpret(C_INT.byteSize()).get(C_INT, 0));
    }

    private static long byteSize(Path file) throws IOException {
        try (Arena arena = POOL.openConfined()) {
            MemorySegment status = stat.allocate(arena);
            MemorySegment state = arena.allocate(CALL_STATE);
            if (stat(state, arena.allocateFrom(file.toString()), status) != DONE) {
                int errno = (int) ERRNO.get(state, 0L);
                throw errno == libc_h.ENOENT()
                        ? new NoSuchFileException(file.toString())
                        : new IOException("stat has failed: file=" + file + ", errno=" + errno);
            }
            return stat.st_size(status);
        }
    }

    private static int stat(MemorySegment state, MemorySegment path, MemorySegment status) {
        try {
            return (int) STAT.invokeExact(state, path, status);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable t) {
            throw new AssertionError("Native call failed", t);
        }
    }
}
