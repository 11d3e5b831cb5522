package dev.arenakit;

import dev.arenakit.diagnostics.MemoryBudget;
import dev.arenakit.diagnostics.MemoryStatistics;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// The snippets in the documentation of this package.
@SuppressWarnings("restricted") // One of them calls C.
final class Snippets {
    // @start region="pool"
    static final SlabPool POOL = SlabPool.create();

    static long sum(long[] values) {
        try (SlabArena arena = POOL.openConfined()) {
            MemorySegment copy = arena.allocateFrom(JAVA_LONG, values);
            return nativeSum(copy, values.length);
        }
    }
    // @end

    private Snippets() {}

    static void malloc() {
        // @start region="malloc"
        try (MallocArena arena = MallocArena.ofConfined()) {
            MemorySegment line = arena.allocate(4096);
            line.setString(0, "not zeroed, written first");
            arena.free(line); // optional: close() frees what is left
        }
        // @end
    }

    static String adopt(String text) {
        // @start region="adopt"
        try (MallocArena arena = MallocArena.ofConfined()) {
            // char *strdup(const char *text): the caller must free the result
            MemorySegment result = CStrings.strdup(arena.allocateFrom(text));
            MemorySegment copy = arena.adopt(result.reinterpret(CStrings.strlen(result) + 1));
            return copy.getString(0);
        } // frees the copy
          // @end
    }

    static void release(String assignment) {
        // @start region="release"
        try (MallocArena arena = MallocArena.ofConfined()) {
            // int putenv(char *assignment): the string becomes part of the environment
            MemorySegment released = arena.release(arena.allocateFrom(assignment));
            if (CStrings.putenv(released) != 0) {
                arena.adopt(released); // frees it after all
            }
        }
        // @end
    }

    static void freeListArena() {
        // @start region="freelistarena"
        try (FreeListArena arena = FreeListArena.ofConfined()) {
            MemorySegment name = arena.allocateFrom("a name");
            name = arena.reallocate(name, 100);
            arena.free(name); // its memory can be allocated again
        } // frees what is left
          // @end
    }

    static long offsetAllocator(MemorySegment memory) {
        // @start region="offsetallocator"
        OffsetAllocator allocator = OffsetAllocator.over(memory); // of a file that is larger than memory, for example
        long node = allocator.allocateRaw(24);
        allocator.memory().set(JAVA_LONG, node, 42);
        long value = allocator.memory().get(JAVA_LONG, node);
        allocator.freeRaw(node);
        // @end
        return value;
    }

    static long allocator(Path library) {
        // @start region="allocator"
        NativeAllocator mimalloc = NativeAllocator.mimalloc(library);
        try (MallocArena arena = MallocArena.builder().allocator(mimalloc).build()) {
            MemorySegment page = arena.allocate(4096, 4096);
            // @end
            return page.address();
        }
    }

    static void failing() {
        // @start region="failing"
        NativeAllocator failing = NativeAllocator.failing(NativeAllocator.libc(), byteSize -> byteSize >= 1 << 20);
        try (MallocArena arena = MallocArena.builder().allocator(failing).build()) {
            arena.allocate(64); // succeeds
            arena.allocate(1 << 20); // throws an OutOfMemoryError
        }
        // @end
    }

    static long frames(SlabPool pool, List<String> names) {
        // @start region="frames"
        try (SlabArena arena = pool.openConfined()) {
            MemorySegment total = arena.allocate(JAVA_LONG);
            for (String name : names) {
                try (SlabArena frame = arena.pushFrame()) { // close it before the arena
                    addLength(frame.allocateFrom(name), total);
                }
            }
            return total.get(JAVA_LONG, 0);
        }
        // @end
    }

    static long budget() {
        // @start region="budget"
        MemoryBudget service = MemoryBudget.root("service", 1L << 30);
        try (MemoryBudget request = service.child("request", 64L << 20);
                Arena arena = request.wrap(Arena.ofConfined())) {
            arena.allocate(1L << 20); // a BudgetExceededException beyond one of the limits
            return service.stats().reservedByteSize();
        }
        // @end
    }

    static int open(MethodHandle open, MemorySegment path) {
        // @start region="errno"
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
            int descriptor = (int) open.invokeExact(state, path, 0);
            if (descriptor < 0) {
                throw NativeCallException.ofErrno("open", state);
            }
            return descriptor;
        } catch (Throwable t) { // invokeExact declares it
            throw NativeCallException.unexpected(t);
        }
        // @end
    }

    static void callbacks(MethodHandle setHooks) throws Throwable {
        // @start region="callbacks"
        MallocArena blocks = MallocArena.ofShared();
        AllocatorCallbacks callbacks = AllocatorCallbacks.of(blocks, blocks);
        MemorySegment hooks = blocks.allocate(ADDRESS, 2); // cJSON_Hooks
        hooks.setAtIndex(ADDRESS, 0, callbacks.malloc());
        hooks.setAtIndex(ADDRESS, 1, callbacks.free());
        setHooks.invokeExact(hooks); // from here on, the library allocates in the arena, which must stay open
        // @end
    }

    static Future<String> handOver(SlabPool pool, ExecutorService executor, String text) {
        // @start region="detach"
        try (SlabArena arena = pool.openConfined()) {
            MemorySegment request = arena.allocateFrom(text);
            SlabParcel parcel = arena.detach(); // closing this arena has no effect from here on
            try {
                return executor.submit(() -> {
                    try (SlabArena attached = parcel.attach()) {
                        return answer(attached, parcel.segment(request));
                    }
                });
            } catch (RejectedExecutionException e) {
                parcel.close(); // nobody will attach it
                throw e;
            }
        }
        // @end
    }

    static boolean stop(SlabPool pool) throws InterruptedException {
        // @start region="shutdown"
        pool.shutdown(); // no arena can be opened any more
        return pool.awaitClosed(Duration.ofSeconds(10)); // whether all requests have closed their arenas
        // @end
    }

    static String statistics() {
        // @start region="statistics"
        MemoryStatistics.registerMXBeans(); // for a console: dev.arenakit:type=MemoryStatistics
        return MemoryStatistics.ofProcess().toString();
        // @end
    }

    private static String answer(SlabArena arena, MemorySegment request) {
        return arena.allocateFrom("Answer to " + request.getString(0)).getString(0);
    }

    private static long nativeSum(MemorySegment values, long count) {
        long sum = 0;
        for (long i = 0; i < count; i++) {
            sum += values.getAtIndex(JAVA_LONG, i);
        }
        return sum;
    }

    private static void addLength(MemorySegment name, MemorySegment total) {
        total.set(JAVA_LONG, 0, total.get(JAVA_LONG, 0) + name.byteSize() - 1);
    }
}
