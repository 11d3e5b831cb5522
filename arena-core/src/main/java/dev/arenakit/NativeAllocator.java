package dev.arenakit;

import dev.arenakit.internal.Memory;
import dev.arenakit.internal.NativeAccess;
import dev.arenakit.internal.NativeCalls;
import dev.arenakit.internal.Sizes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Path;
import java.util.Objects;

/// The functions of a native allocator that provides the memory of arenas: `malloc`, `calloc`, `realloc`, `free` and
/// `aligned_alloc`.
///
/// [#libc()] is the allocator of the process, [#mimalloc(Path)] and [#jemalloc(Path)] load those libraries, and [#of]
/// finds the functions of any other allocator in a lookup. An allocator has no state of its own, can be used by any
/// number of arenas and threads, and is never closed: a library stays loaded.
///
/// Calls for up to 64 KiB to the three known allocators are *critical*: they omit the transition between Java and
/// native code, which saves a quarter to two thirds of the time of an empty call, and delay the JVM's safepoints until
/// they return. Calls for larger sizes may take a long time (page faults, system calls) and are plain calls. Calls to
/// other allocators are plain calls too, unless [#withCriticalCalls()] is used.
///
/// {@snippet file="dev/arenakit/Snippets.java" region="allocator"}
public final class NativeAllocator {
    /// Above this size, the work in malloc and free may delay a safepoint noticeably.
    private static final long LARGEST_CRITICAL = 64 * 1024;

    /// The alignment that malloc guarantees: `alignof(max_align_t)` on x86-64 and aarch64, for blocks of at least that
    /// size.
    static final long MALLOC_ALIGNMENT = 16;

    private static final long NO_FUNCTION = 0;

    private final String name;
    // The addresses of the functions.
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

    /// Returns the allocator of the C library that the JVM uses.
    ///
    /// @return the only instance
    /// @throws IllegalCallerException if native access is denied
    public static NativeAllocator libc() {
        NativeAccess.require();
        return Libc.INSTANCE;
    }

    /// Returns the allocator of a mimalloc library (`mi_malloc` and so on).
    ///
    /// @param path the shared library
    /// @return the allocator
    /// @throws IllegalCallerException   if native access is denied
    /// @throws IllegalArgumentException if the library cannot be loaded or lacks a function
    public static NativeAllocator mimalloc(Path path) {
        NativeAccess.require();
        return find("mimalloc", load(path, ""), "mi_malloc", "mi_calloc", "mi_realloc", "mi_free", "mi_aligned_alloc")
                .withCriticalCalls();
    }

    /// Returns the allocator of a jemalloc library built without a prefix, as distributions ship it.
    ///
    /// jemalloc stores its thread state in static thread-local storage. When it is loaded into a running process, glibc
    /// may have no space left for it; in that case, start the JVM with
    /// `GLIBC_TUNABLES=glibc.rtld.optional_static_tls=16384`.
    ///
    /// @param path the shared library
    /// @return the allocator
    /// @throws IllegalCallerException   if native access is denied
    /// @throws IllegalArgumentException if the library cannot be loaded or lacks a function
    public static NativeAllocator jemalloc(Path path) {
        NativeAccess.require();
        String remedy = ", or set GLIBC_TUNABLES=glibc.rtld.optional_static_tls=16384 in the environment";
        SymbolLookup library = load(path, remedy);
        // A lookup finds the other names in every library that depends on libc.
        find("jemalloc", library, "mallctl");
        return find("jemalloc", library, "malloc", "calloc", "realloc", "free", "aligned_alloc").withCriticalCalls();
    }

    /// Returns the allocator whose functions have the given names in a lookup. It uses plain calls.
    ///
    /// The functions must have the signatures and the behavior of the C functions with the same names as the
    /// parameters, and must be callable from every thread; other functions can crash the JVM. The library must stay
    /// loaded while an arena uses it.
    ///
    /// @param name         a name for messages
    /// @param lookup       the lookup that finds the functions
    /// @param malloc       the name of `void *malloc(size_t)`
    /// @param calloc       the name of `void *calloc(size_t, size_t)`
    /// @param realloc      the name of `void *realloc(void *, size_t)`
    /// @param free         the name of `void free(void *)`
    /// @param alignedAlloc the name of `void *aligned_alloc(size_t alignment, size_t size)`
    /// @return the allocator
    /// @throws IllegalCallerException   if native access is denied
    /// @throws IllegalArgumentException if the lookup lacks a function
    public static NativeAllocator of(String name, SymbolLookup lookup, String malloc, String calloc, String realloc,
            String free, String alignedAlloc) {
        NativeAccess.require();
        return find(Objects.requireNonNull(name), lookup, malloc, calloc, realloc, free, alignedAlloc);
    }

    /// Returns an allocator with the same functions, which uses critical calls up to 64 KiB. The functions must be
    /// known to return quickly.
    ///
    /// @return another allocator; this one is unchanged
    public NativeAllocator withCriticalCalls() {
        return new NativeAllocator(name, malloc, calloc, realloc, free, alignedAlloc, LARGEST_CRITICAL);
    }

    /// Returns the name of the allocator.
    @Override
    public String toString() {
        return name;
    }

    /// Returns the address of a new block that is not zeroed. The caller has checked size and alignment.
    long allocate(long byteSize, long byteAlignment) {
        long address = byteAlignment <= MALLOC_ALIGNMENT
                ? NativeCalls.call(malloc, blockSize(byteSize, byteAlignment), byteSize <= largestCritical)
                : allocateAligned(byteSize, byteAlignment);
        if (address == 0) {
            throw exhausted(byteAlignment <= MALLOC_ALIGNMENT ? "malloc" : "aligned_alloc", byteSize, byteAlignment);
        }
        return address;
    }

    /// Returns the address of a new zeroed block.
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

    /// Resizes a block of malloc's alignment, and preserves its first bytes. The address 0 stands for a new block. If
    /// this method throws, the old block is unchanged.
    ///
    /// @return the new address
    long reallocate(long address, long oldByteSize, long byteSize) {
        boolean critical = Math.max(oldByteSize, byteSize) <= largestCritical;
        long moved = NativeCalls.call(realloc, address, blockSize(byteSize, MALLOC_ALIGNMENT), critical);
        if (moved == 0) {
            throw exhausted("realloc", byteSize, MALLOC_ALIGNMENT);
        }
        return moved;
    }

    /// Frees a block. The size determines the kind of call.
    void free(long address, long byteSize) {
        NativeCalls.run(free, address, byteSize <= largestCritical);
    }

    private long allocateAligned(long byteSize, long byteAlignment) {
        if (alignedAlloc == NO_FUNCTION) {
            throw new UnsupportedOperationException("No aligned_alloc in the C library: byteAlignment=" + byteAlignment
                    + ", largest=" + MALLOC_ALIGNMENT + ", os=" + System.getProperty("os.name") + ", arch="
                    + System.getProperty("os.arch"));
        }
        // C11 requires the size to be a multiple of the alignment, and some allocators check it.
        long size = Sizes.alignUp(Math.max(byteSize, 1), byteAlignment);
        long address = NativeCalls.call(alignedAlloc, byteAlignment, size, size <= largestCritical);
        return isAligned(address, byteAlignment) ? address : allocateAlignedAgain(address, size, byteAlignment);
    }

    /// Works around mimalloc 2.0.9 of Debian 12, which ignores an alignment above 128 if the size is a power of two up
    /// to 1 KiB.
    private long allocateAlignedAgain(long misaligned, long size, long byteAlignment) {
        free(misaligned, size);
        // Still a multiple of the alignment, but not a power of two.
        long address = NativeCalls.call(alignedAlloc, byteAlignment, 3 * size, false);
        if (!isAligned(address, byteAlignment)) {
            free(address, 3 * size);
            throw new IllegalStateException("Allocator ignores the alignment: allocator=" + name + ", byteAlignment="
                    + byteAlignment + ", address=0x" + Long.toHexString(address)
                    + "; pass the name of its aligned_alloc");
        }
        return address;
    }

    private static boolean isAligned(long address, long byteAlignment) {
        return (address & (byteAlignment - 1)) == 0;
    }

    /// Returns a size that is not 0, for which malloc may return null, and not below the alignment, because some
    /// allocators align a small block to its size class only.
    private static long blockSize(long byteSize, long byteAlignment) {
        return Math.max(byteSize, byteAlignment);
    }

    private OutOfMemoryError exhausted(String function, long byteSize, long byteAlignment) {
        return new OutOfMemoryError("Native memory exhausted: byteSize=" + byteSize + ", byteAlignment=" + byteAlignment
                + ", allocator=" + name + ", tried=" + function);
    }

    private static SymbolLookup load(Path path, String moreRemedy) {
        try {
            return NativeCalls.library(path);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("Cannot load library: path=" + path + ", reason=" + e.getMessage()
                    + "; check that it exists and matches this machine" + moreRemedy, e);
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

    /// Initialized on first use, after native access has been checked.
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
