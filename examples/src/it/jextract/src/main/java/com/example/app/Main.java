package com.example.app;

import com.example.libc.__compar_fn_t;
import com.example.libc.div_t;
import com.example.libc.libc_h;
import dev.arenakit.SlabPool;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

import static com.example.libc.libc_h.C_INT;
import static com.example.libc.libc_h.C_POINTER;

/// Calls functions of libc with memory of a pool.
public final class Main {
    private static final SlabPool POOL = SlabPool.create();
    private static final MemorySegment COMPARE = __compar_fn_t.allocate(Main::compare, Arena.global());

    private Main() {}

    /// Calls the functions.
    ///
    /// @param args none
    public static void main(String[] args) {
        parse();
        divide();
        sort();
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
}
