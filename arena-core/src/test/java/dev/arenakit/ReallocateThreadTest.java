package dev.arenakit;

import dev.arenakit.internal.Memory;
import dev.arenakit.testing.Threads;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

/// While a thread resizes a large block, other threads do not wait for the copy.
class ReallocateThreadTest {
    private static final long LARGE = 64 << 20;
    private static final int RESIZES = 100;

    /// Guards the two fields below: a large block is freed after the next one was published.
    private static final Object LOCK = new Object();
    private static long newest;
    private static int published;

    @Test
    void mallocArena_resizesALargeBlock_othersAllocateMeanwhile() {
        try (MallocArena arena = MallocArena.builder().shared().allocator(observed()).build()) {
            assertOthersAllocateMeanwhile(arena);
        }
    }

    @Test
    void freeListArena_resizesALargeBlock_othersAllocateMeanwhile() {
        try (FreeListArena arena = FreeListArena.builder().shared().allocator(observed()).build()) {
            assertOthersAllocateMeanwhile(arena);
        }
    }

    /// libc's allocator, which publishes the address of each large block.
    @SuppressWarnings("restricted") // Only an upcall sees the block before its content is copied.
    private static NativeAllocator observed() {
        Linker linker = Linker.nativeLinker();
        MethodHandle publish;
        try {
            publish = MethodHandles.lookup()
                    .findStatic(ReallocateThreadTest.class, "publish",
                            MethodType.methodType(long.class, MethodHandle.class,
                                    long.class));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
        FunctionDescriptor malloc = FunctionDescriptor.of(JAVA_LONG, JAVA_LONG);
        MethodHandle libc = linker.downcallHandle(linker.defaultLookup().findOrThrow("malloc"), malloc);
        MemorySegment stub = linker.upcallStub(publish.bindTo(libc), malloc, Arena.global());
        return NativeAllocator.of("observed",
                name -> name.equals("malloc") ? Optional.of(stub) : linker.defaultLookup().find(name), "malloc",
                "calloc", "free");
    }

    @SuppressWarnings("UnusedMethod") // An upcall.
    private static long publish(MethodHandle malloc, long byteSize) throws Throwable {
        long address = (long) malloc.invokeExact(byteSize);
        if (byteSize >= LARGE) {
            synchronized (LOCK) {
                newest = address;
                published++;
            }
        }
        return address;
    }

    private static void assertOthersAllocateMeanwhile(BlockAllocator allocator) {
        MemorySegment first = allocator.allocate(LARGE, 8).fill((byte) 1);
        synchronized (LOCK) {
            newest = 0;
        }
        AtomicBoolean found = new AtomicBoolean();
        AtomicBoolean finished = new AtomicBoolean();
        Threads.race(2, thread -> {
            if (thread == 0) {
                MemorySegment block = first;
                for (int i = 0; i < RESIZES && !found.get(); i++) {
                    block = allocator.reallocate(block, LARGE + i * 8L);
                }
                finished.set(true);
            } else {
                while (!finished.get() && !found.get()) {
                    int copy = newestUnderWay();
                    if (copy != 0) {
                        allocator.free(allocator.allocate(100_000, 8));
                        found.set(newestUnderWay() == copy);
                    }
                }
            }
        });
        assertThat(found).isTrue();
    }

    /// The number of the newest large block while it is being copied, or else 0. Such a block consists of new pages:
    /// its bytes are 0 until they are copied.
    private static int newestUnderWay() {
        synchronized (LOCK) {
            boolean isUnderWay = newest != 0 && Memory.getByte(newest + LARGE / 64) != 0
                    && Memory.getByte(newest + LARGE - 64) == 0;
            return isUnderWay ? published : 0;
        }
    }
}
