package dev.arenakit;

import dev.arenakit.internal.Memory;
import dev.arenakit.internal.NativeAccess;
import dev.arenakit.internal.NativeCalls;
import dev.arenakit.internal.Sizes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Path;
import java.util.Objects;

/// The functions of a native allocator, from which arenas take their memory: malloc, calloc, realloc, free and
/// aligned_alloc.
///
/// [#libc()] is the allocator of the process; [#mimalloc(Path)] and [#jemalloc(Path)] load those libraries; [#of] takes
/// the functions of any other from a lookup. An allocator has no state of its own, may be used by any number of arenas
/// and threads, and is never closed: a library stays loaded.
///
/// Calls for up to 64 KiB into the three known allocators are *critical*: they leave out the transition between Java and
/// native code, which saves a quarter to two thirds of an empty call, and hold back the JVM's safepoints until they return. Larger
/// requests may take the allocator a long time (page faults, system calls) and are made as plain calls, and so are all
/// calls into other allocators unless [#withCriticalCalls()] asks otherwise.
///
/// {@snippet file="dev/arenakit/Snippets.java" region="allocator"}
public final class NativeAllocator {
    /// Above this size the work inside malloc and free may hold back a safepoint noticeably.
    private static final long LARGEST_CRITICAL = 64 * 1024;

    /// What malloc promises: `alignof(max_align_t)` on x86-64 and aarch64, for blocks of at least that size.
    static final long MALLOC_ALIGNMENT = 16;

    private static final long NO_FUNCTION = 0;

    private final String name;
    // Addresses of functions.
    private final long malloc;
    private final long calloc;
    private final long realloc;
    private final long free;
    private final long alignedAlloc;
    private final long largestCritical;

    private NativeAllocator(String name, long malloc, long calloc, long realloc, long free, long alignedAlloc,
            long largestCritical) {
        this.name = name;
        this.malloc = malloc;
        this.calloc = calloc;
        this.realloc = realloc;
        this.free = free;
        this.alignedAlloc = alignedAlloc;
        this.largestCritical = largestCritical;
    }

    /// The allocator of the C library that the JVM runs on.
    ///
    /// @return the one instance
    /// @throws IllegalCallerException when native access is denied
    public static NativeAllocator libc() {
        NativeAccess.require();
        return Libc.INSTANCE;
    }

    /// The allocator in a mimalloc library (`mi_malloc` and so on).
    ///
    /// @param path the shared library
    /// @return the allocator
    /// @throws IllegalCallerException   when native access is denied
    /// @throws IllegalArgumentException when the library cannot be loaded or lacks a function
    public static NativeAllocator mimalloc(Path path) {
        NativeAccess.require();
        return find("mimalloc", load(path, ""), "mi_malloc", "mi_calloc", "mi_realloc", "mi_free", "mi_aligned_alloc")
                .withCriticalCalls();
    }

    /// The allocator in a jemalloc library built without a prefix, as distributions ship it.
    ///
    /// jemalloc keeps its thread state in static thread-local storage. When it is loaded into a running process, glibc
    /// may have no room left for that; start the JVM with `GLIBC_TUNABLES=glibc.rtld.optional_static_tls=16384` then.
    ///
    /// @param path the shared library
    /// @return the allocator
    /// @throws IllegalCallerException   when native access is denied
    /// @throws IllegalArgumentException when the library cannot be loaded or lacks a function
    public static NativeAllocator jemalloc(Path path) {
        NativeAccess.require();
        String remedy = ", or set GLIBC_TUNABLES=glibc.rtld.optional_static_tls=16384 in the environment";
        SymbolLookup library = load(path, remedy);
        // The other names are found in every library that itself needs libc.
        find("jemalloc", library, "mallctl");
        return find("jemalloc", library, "malloc", "calloc", "realloc", "free", "aligned_alloc").withCriticalCalls();
    }

    /// The allocator with the given function names in a lookup, called by plain calls.
    ///
    /// The functions must have the signatures and the meaning of their namesakes in C, and must be callable from every
    /// thread; a function that has not can crash the JVM. The library must stay loaded while an arena uses it.
    ///
    /// @param name         a name for messages
    /// @param lookup       where the functions are found
    /// @param malloc       the name of `void *malloc(size_t)`
    /// @param calloc       the name of `void *calloc(size_t, size_t)`
    /// @param realloc      the name of `void *realloc(void *, size_t)`
    /// @param free         the name of `void free(void *)`
    /// @param alignedAlloc the name of `void *aligned_alloc(size_t alignment, size_t size)`
    /// @return the allocator
    /// @throws IllegalCallerException   when native access is denied
    /// @throws IllegalArgumentException when the lookup has no such function
    public static NativeAllocator of(String name, SymbolLookup lookup, String malloc, String calloc, String realloc,
            String free, String alignedAlloc) {
        NativeAccess.require();
        return find(Objects.requireNonNull(name), lookup, malloc, calloc, realloc, free, alignedAlloc);
    }

    /// The same functions, called by critical calls up to 64 KiB: for an allocator that is known to return soon.
    ///
    /// @return another allocator; this one is unchanged
    public NativeAllocator withCriticalCalls() {
        return new NativeAllocator(name, malloc, calloc, realloc, free, alignedAlloc, LARGEST_CRITICAL);
    }

    /// The name of the allocator.
    @Override
    public String toString() {
        return name;
    }

    /// The address of a new block whose bytes are whatever they were. Size and alignment have been checked.
    long allocate(long byteSize, long byteAlignment) {
        long address = byteAlignment <= MALLOC_ALIGNMENT
                ? NativeCalls.call(malloc, blockSize(byteSize, byteAlignment), byteSize <= largestCritical)
                : allocateAligned(byteSize, byteAlignment);
        if (address == 0) {
            throw exhausted(byteAlignment <= MALLOC_ALIGNMENT ? "malloc" : "aligned_alloc", byteSize, byteAlignment);
        }
        return address;
    }

    /// The address of a new block of zeros.
    long allocateZeroed(long byteSize, long byteAlignment) {
        if (byteAlignment > MALLOC_ALIGNMENT) {
            long address = allocate(byteSize, byteAlignment);
            Memory.zero(address, byteSize);
            return address;
        }
        long address = NativeCalls.call(calloc, 1, blockSize(byteSize, byteAlignment), byteSize <= largestCritical);
        if (address == 0) {
            throw exhausted("calloc", byteSize, byteAlignment);
        }
        return address;
    }

    /// The new address of a block (of 0: a new block) of malloc's alignment, its first bytes kept. When this throws, the
    /// old block is what it was.
    long reallocate(long address, long oldByteSize, long byteSize) {
        boolean critical = Math.max(oldByteSize, byteSize) <= largestCritical;
        long moved = NativeCalls.call(realloc, address, blockSize(byteSize, MALLOC_ALIGNMENT), critical);
        if (moved == 0) {
            throw exhausted("realloc", byteSize, MALLOC_ALIGNMENT);
        }
        return moved;
    }

    /// Gives a block back; the size chooses the kind of call.
    void free(long address, long byteSize) {
        NativeCalls.run(free, address, byteSize <= largestCritical);
    }

    private long allocateAligned(long byteSize, long byteAlignment) {
        if (alignedAlloc == NO_FUNCTION) {
            throw new UnsupportedOperationException("No aligned_alloc in the C library: byteAlignment=" + byteAlignment
                    + ", largest=" + MALLOC_ALIGNMENT + ", os=" + System.getProperty("os.name") + ", arch="
                    + System.getProperty("os.arch"));
        }
        // C11 wants the size to be a multiple of the alignment, and some allocators insist.
        long size = Sizes.alignUp(Math.max(byteSize, 1), byteAlignment);
        long address = NativeCalls.call(alignedAlloc, byteAlignment, size, size <= largestCritical);
        return isAligned(address, byteAlignment) ? address : allocateAlignedAgain(address, size, byteAlignment);
    }

    /// mimalloc 2.0.9, which Debian 12 has, forgets an alignment above 128 when the size is a power of two up to 1 KiB.
    private long allocateAlignedAgain(long misaligned, long size, long byteAlignment) {
        free(misaligned, size);
        // A multiple of the alignment still, and no power of two.
        long address = NativeCalls.call(alignedAlloc, byteAlignment, 3 * size, false);
        if (!isAligned(address, byteAlignment)) {
            free(address, 3 * size);
            throw new IllegalStateException("Allocator ignores the alignment: allocator=" + name + ", byteAlignment="
                    + byteAlignment + ", address=0x" + Long.toHexString(address)
                    + "; give it the right aligned_alloc");
        }
        return address;
    }

    private static boolean isAligned(long address, long byteAlignment) {
        return (address & (byteAlignment - 1)) == 0;
    }

    /// Never 0, for which malloc may return null; and not below the alignment, since some allocators align a small block
    /// to its size class only.
    private static long blockSize(long byteSize, long byteAlignment) {
        return Math.max(byteSize, byteAlignment);
    }

    private OutOfMemoryError exhausted(String function, long byteSize, long byteAlignment) {
        return new OutOfMemoryError("Native memory exhausted: byteSize=" + byteSize + ", byteAlignment=" + byteAlignment
                + ", allocator=" + name + ", tried=" + function);
    }

    private static SymbolLookup load(Path path, String furtherRemedy) {
        try {
            return NativeCalls.library(path);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("Cannot load library: path=" + path + ", reason=" + e.getMessage()
                    + "; check that it exists and fits this machine" + furtherRemedy, e);
        }
    }

    private static NativeAllocator find(String name, SymbolLookup lookup, String malloc, String calloc, String realloc,
            String free, String alignedAlloc) {
        return new NativeAllocator(name, find(name, lookup, malloc), find(name, lookup, calloc),
                find(name, lookup, realloc), find(name, lookup, free), find(name, lookup, alignedAlloc), -1);
    }

    private static long find(String name, SymbolLookup lookup, String function) {
        return lookup.find(function)
                .map(MemorySegment::address)
                .orElseThrow(() -> new IllegalArgumentException(
                        "Allocator lacks a function: allocator=" + name + ", function=" + function));
    }

    /// Made on first use, which comes after native access has been asked for.
    private static final class Libc {
        static final NativeAllocator INSTANCE = make(NativeCalls.libc());

        private static NativeAllocator make(SymbolLookup libc) {
            // Windows has the other four but no aligned_alloc.
            return new NativeAllocator("libc", find("libc", libc, "malloc"), find("libc", libc, "calloc"),
                    find("libc", libc, "realloc"), find("libc", libc, "free"),
                    libc.find("aligned_alloc").map(MemorySegment::address).orElse(NO_FUNCTION),
                    LARGEST_CRITICAL);
        }
    }
}
