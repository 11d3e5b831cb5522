package dev.arenakit;

import dev.arenakit.internal.AllocatorFunctions;
import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.nativecall.NativeCalls;
import dev.arenakit.internal.nativecall.NativeFunctions;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

/// libc's allocator behind a Java layer that records each block, fills it when it is allocated and when it is freed,
/// records every call that C forbids, and fails requests on demand.
///
/// The layer consists of upcalls, so that the calls of [#allocator()] must be plain. It can only record a violation,
/// because an exception in an upcall terminates the JVM; [#assertNothingHeld] reports the violations.
@SuppressWarnings("restricted") // Nothing but an upcall gets between an arena and its allocator.
public final class CountingAllocator {
    /// The content of a new block.
    static final byte FRESH = (byte) 0xA5;
    /// The content of a freed block.
    static final byte FREED = (byte) 0x5A;

    private final Map<Long, Long> live = new ConcurrentHashMap<>();
    /// The larger blocks in which aligned blocks lie: not every C library has `aligned_alloc`.
    private final Map<Long, Long> outer = new ConcurrentHashMap<>();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong peakBytes = new AtomicLong();
    private final AtomicLong grants = new AtomicLong(Long.MAX_VALUE);
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();
    private volatile Runnable beforeFree = () -> {};
    private final NativeAllocator allocator;

    /// Creates an allocator with all four functions.
    public CountingAllocator() {
        this(true);
    }

    private CountingAllocator(boolean aligned) {
        Map<String, MemorySegment> stubs = Map.of("malloc", stub("malloc", true, 1), "calloc", stub("calloc", true, 2),
                "free", stub("free", false, 1), "alignedAlloc",
                stub("alignedAlloc", true, 2));
        SymbolLookup lookup = name -> Optional.ofNullable(stubs.get(name));
        allocator = aligned
                ? NativeAllocator.of("counting", lookup, "malloc", "calloc", "free", "alignedAlloc")
                : NativeAllocator.of("counting", lookup, "malloc", "calloc", "free");
    }

    /// Creates an allocator without `aligned_alloc`, as Windows has.
    static CountingAllocator withoutAlignedAlloc() {
        return new CountingAllocator(false);
    }

    /// The allocator under test, for any number of arenas and threads.
    public NativeAllocator allocator() {
        return allocator;
    }

    /// The functions of the allocator under test, for the classes behind the arenas.
    @SuppressWarnings("exports") // Only tests use this class.
    public AllocatorFunctions functions() {
        return allocator.functions();
    }

    /// The number of live blocks.
    public long blocks() {
        return live.size();
    }

    /// The size of all live blocks, as requested.
    public long bytes() {
        return bytes.get();
    }

    /// The largest value of [#bytes] so far.
    long peakBytes() {
        return peakBytes.get();
    }

    /// Whether this address is in a live block.
    boolean isLive(long address) {
        return live.entrySet()
                .stream()
                .anyMatch(block -> address >= block.getKey() && address - block.getKey() < block.getValue());
    }

    /// Grants this number of further requests and refuses all later ones, as if memory were exhausted.
    public void refuseAfter(long requests) {
        grants.set(requests);
    }

    /// Runs an action, which must not throw, before each block is freed.
    public void beforeFree(Runnable action) {
        beforeFree = action;
    }

    /// Grants all requests again.
    public void refuseNothing() {
        grants.set(Long.MAX_VALUE);
    }

    /// Asserts that no call so far was forbidden in C, such as a free of an address that is not a live block.
    void assertNoViolations() {
        assertThat(violations).as("calls that C forbids").isEmpty();
    }

    /// Asserts that every block has been freed exactly once.
    public void assertNothingHeld() {
        assertNoViolations();
        assertThat(live).as("blocks that were not freed").isEmpty();
        assertThat(bytes.get()).isZero();
    }

    @SuppressWarnings("unused") // as a stub
    private long malloc(long byteSize) {
        return refused(byteSize) ? 0 : register(Libc.malloc(byteSize), byteSize, FRESH);
    }

    @SuppressWarnings("unused") // as a stub
    private long calloc(long count, long byteSize) {
        return refused(count * byteSize) ? 0 : register(Libc.calloc(count, byteSize), count * byteSize, (byte) 0);
    }

    @SuppressWarnings("unused") // as a stub
    private long alignedAlloc(long byteAlignment, long byteSize) {
        if (Long.bitCount(byteAlignment) != 1 || byteSize % byteAlignment != 0) {
            violations.add("aligned_alloc(" + byteAlignment + ", " + byteSize + ")");
            return 0;
        }
        long block = refused(byteSize) ? 0 : Libc.malloc(byteAlignment + byteSize);
        if (block == 0) {
            return 0;
        }
        long address = Sizes.alignUp(block, byteAlignment);
        outer.put(address, block);
        return register(address, byteSize, FRESH);
    }

    @SuppressWarnings("unused") // as a stub
    private void free(long address) {
        beforeFree.run();
        // Remove the block first: after libc has freed it, another thread may get the same address.
        Long byteSize = live.remove(address);
        if (byteSize == null) {
            violations.add("free of an address that is not a live block: 0x" + Long.toHexString(address));
            return;
        }
        bytes.addAndGet(-byteSize);
        memory(address, byteSize).fill(FREED);
        Long block = outer.remove(address);
        Libc.free(block == null ? address : block);
    }

    private boolean refused(long byteSize) {
        if (byteSize <= 0) {
            violations.add("request for a block of no bytes: " + byteSize);
        }
        return grants.getAndDecrement() <= 0;
    }

    private long register(long address, long byteSize, byte content) {
        if (address != 0) {
            memory(address, byteSize).fill(content);
            live.put(address, byteSize);
            long now = bytes.addAndGet(byteSize);
            peakBytes.accumulateAndGet(now, Math::max);
        }
        return address;
    }

    private static MemorySegment memory(long address, long byteSize) {
        return MemorySegment.ofAddress(address).reinterpret(byteSize);
    }

    /// A function that lives as long as the JVM, like the functions of a library.
    private MemorySegment stub(String method, boolean hasResult, int parameters) {
        ValueLayout[] longs = new ValueLayout[parameters];
        Arrays.fill(longs, JAVA_LONG);
        FunctionDescriptor descriptor = hasResult
                ? FunctionDescriptor.of(JAVA_LONG, (MemoryLayout[]) longs)
                : FunctionDescriptor.ofVoid((MemoryLayout[]) longs);
        try {
            MethodHandle bound = MethodHandles.lookup().bind(this, method, descriptor.toMethodType());
            return Linker.nativeLinker().upcallStub(bound, descriptor, Arena.global());
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("No method for a stub", e);
        }
    }

    /// The functions of libc.
    private static final class Libc {
        private static final long MALLOC = function("malloc");
        private static final long CALLOC = function("calloc");
        private static final long FREE = function("free");

        static long malloc(long byteSize) {
            return NativeCalls.call(MALLOC, byteSize, false);
        }

        static long calloc(long count, long byteSize) {
            return NativeCalls.call(CALLOC, count, byteSize, false);
        }

        static void free(long address) {
            NativeCalls.run(FREE, address, false);
        }

        private static long function(String name) {
            SymbolLookup libc = NativeFunctions.libc();
            return libc.findOrThrow(name).address();
        }
    }
}
