package dev.arenakit;

import dev.arenakit.internal.Memory;
import dev.arenakit.internal.NativeAccess;
import dev.arenakit.internal.NativeCalls;
import dev.arenakit.internal.NativeFunctions;
import dev.arenakit.internal.PageMappings;
import dev.arenakit.internal.Sizes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/// A native allocator that provides the memory of arenas: the functions `malloc`, `calloc`, `free` and `aligned_alloc`
/// of a library, or the pages of the operating system.
///
/// [#libc()] is the allocator of the process, [#mimalloc(Path)] and [#jemalloc(Path)] load those libraries, and [#of]
/// finds the functions of any other allocator in a lookup. [#pages()] maps large blocks, and [SlabPool] cuts its slabs
/// from such mappings. An allocator can be used by any number of arenas and threads, and is never closed: a library
/// stays loaded.
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
    private static final long NO_CRITICAL = -1;

    /// The smallest block that [#pages()] maps: a mapping costs microseconds, and smaller blocks have no huge page.
    private static final long SMALLEST_MAPPED = PageMappings.HUGE_PAGE;

    /// The alignment that malloc guarantees: `alignof(max_align_t)` on x86-64 and aarch64, for blocks of at least that
    /// size.
    static final long MALLOC_ALIGNMENT = 16;

    private static final long NO_FUNCTION = 0;

    private final String name;
    // The addresses of the functions.
    private final long malloc;
    private final long calloc;
    private final long free;
    private final long alignedAlloc;
    private final long largestCritical;
    /// Whether large blocks are mapped, and slabs are cut from mappings.
    private final boolean mapped;
    /// Refuses some sizes, or null.
    private final @Nullable LongPredicate refuses;
    private final MemorySegment freeFunction;

    private NativeAllocator(String name, long malloc, long calloc, long free, long alignedAlloc,
            long largestCritical, boolean mapped, @Nullable LongPredicate refuses) {
        this.name = name;
        this.malloc = malloc;
        this.calloc = calloc;
        this.free = free;
        this.alignedAlloc = alignedAlloc;
        this.largestCritical = largestCritical;
        this.mapped = mapped;
        this.refuses = refuses;
        this.freeFunction = MemorySegment.ofAddress(free);
    }

    /// Returns the allocator of the C library that the JVM uses.
    ///
    /// @return the only instance
    public static NativeAllocator libc() {
        return Libc.INSTANCE;
    }

    /// Returns the allocator of the operating system's pages, for a [SlabPool] above all.
    ///
    /// A pool cuts its slabs from anonymous mappings of 1 to 4 MiB. Pages that no arena has touched take no memory, and
    /// [SlabPool#trim()] returns the memory of slabs to the system, which malloc's `free` often does not.
    ///
    /// A block of 2 MiB or more is a mapping of its own, which is zeroed, begins at a multiple of 2 MiB, and consists
    /// of huge pages where the system allows them. Smaller blocks come from [#libc()].
    ///
    /// A huge page makes the first touch of a large block cheaper, and takes 2 MiB when its first byte is touched: do
    /// not use it for blocks that are hardly used. It is allowed unless
    /// `/sys/kernel/mm/transparent_hugepage/enabled` is `never`.
    ///
    /// @return the only instance
    /// @throws UnsupportedOperationException on other systems than Linux on x86-64 and aarch64
    public static NativeAllocator pages() {
        if (!PageMappings.isSupported()) {
            throw new UnsupportedOperationException("No anonymous mappings on this system: os="
                    + System.getProperty("os.name") + ", arch=" + System.getProperty("os.arch")
                    + "; use NativeAllocator.libc()");
        }
        return Pages.INSTANCE;
    }

    /// Returns the default allocator of pools: [#pages()], or [#libc()] where there are none.
    static NativeAllocator ofPools() {
        return PageMappings.isSupported() ? pages() : libc();
    }

    /// Returns the allocator of a mimalloc library (`mi_malloc` and so on).
    ///
    /// @param path the shared library
    /// @return the allocator
    /// @throws IllegalCallerException   if native access is denied
    /// @throws IllegalArgumentException if the library cannot be loaded or lacks a function
    public static NativeAllocator mimalloc(Path path) {
        NativeAccess.require();
        return find("mimalloc", load(path, ""), "mi_malloc", "mi_calloc", "mi_free", "mi_aligned_alloc")
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
        return find("jemalloc", library, "malloc", "calloc", "free", "aligned_alloc").withCriticalCalls();
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
    /// @param free         the name of `void free(void *)`
    /// @param alignedAlloc the name of `void *aligned_alloc(size_t alignment, size_t size)`
    /// @return the allocator
    /// @throws IllegalCallerException   if native access is denied
    /// @throws IllegalArgumentException if the lookup lacks a function
    public static NativeAllocator of(String name, SymbolLookup lookup, String malloc, String calloc,
            String free, String alignedAlloc) {
        NativeAccess.require();
        return find(Objects.requireNonNull(name), lookup, malloc, calloc, free, alignedAlloc);
    }

    /// Returns an allocator with the same functions, which uses critical calls up to 64 KiB. The functions must be
    /// known to return quickly. An allocator that [refuses][#failing] some allocations keeps its plain calls.
    ///
    /// @return another allocator; this one is unchanged
    public NativeAllocator withCriticalCalls() {
        return new NativeAllocator(name, malloc, calloc, free, alignedAlloc,
                refuses == null ? LARGEST_CRITICAL : NO_CRITICAL, mapped, refuses);
    }

    /// Returns an allocator that uses another one and refuses some allocations, as if memory were exhausted: for tests
    /// of programs, and of arenas. It uses plain calls.
    ///
    /// {@snippet file="dev/arenakit/Snippets.java" region="failing"}
    ///
    /// @param allocator the other allocator; blocks of one may be freed by the other
    /// @param refuses   is asked before each allocation, with its size in bytes, in the thread that
    ///                  allocates, possibly with locks held; returns whether to refuse it. It must not use an arena
    ///                  over the allocator. The size includes what the arena adds to a block, and may be that of a
    ///                  mapping from which slabs are cut.
    /// @return another allocator
    public static NativeAllocator failing(NativeAllocator allocator, LongPredicate refuses) {
        Objects.requireNonNull(refuses, "refuses");
        LongPredicate first = allocator.refuses;
        return new NativeAllocator(allocator.name, allocator.malloc, allocator.calloc,
                allocator.free, allocator.alignedAlloc, NO_CRITICAL, allocator.mapped,
                first == null ? refuses : first.or(refuses));
    }

    /// Allocates a block that is not zeroed, outside any arena. The caller must [free][#free] it.
    ///
    /// @param byteSize      the size in bytes
    /// @param byteAlignment the alignment in bytes, any power of two
    /// @return the address, which no other live block has
    /// @throws IllegalArgumentException if the size is negative or the alignment is not a power of two
    /// @throws OutOfMemoryError         if there is no memory left
    /// @throws IllegalCallerException   if native access is denied
    public long allocate(long byteSize, long byteAlignment) {
        Sizes.checkArguments(byteSize, byteAlignment);
        Sizes.checkAddressable(byteSize, byteAlignment);
        NativeAccess.require();
        return allocateBlock(byteSize, byteAlignment, false);
    }

    /// Frees a block. As in C, any other address than that of a live block of this allocator leads to undefined
    /// behavior, and so does a second call.
    ///
    /// @param address       the address that [#allocate] returned
    /// @param byteSize      the size that was passed to [#allocate], in bytes
    /// @param byteAlignment the alignment that was passed to [#allocate], in bytes
    /// @throws IllegalCallerException if native access is denied
    public void free(long address, long byteSize, long byteAlignment) {
        NativeAccess.require();
        freeBlock(address, nativeByteSize(byteSize, byteAlignment));
    }

    /// Returns the name of the allocator.
    @Override
    public String toString() {
        return name;
    }

    /// Whether a block of this size, and of malloc's alignment, is allocated and freed by critical calls.
    boolean isSmall(long byteSize) {
        return byteSize <= largestCritical;
    }

    /// Returns the address of a new block that [#isSmall], or slightly larger, or 0. It is not zeroed.
    long tryAllocateSmall(long byteSize) {
        return NativeCalls.call(malloc, byteSize, true);
    }

    /// Frees a block that was allocated by [#tryAllocateSmall].
    void freeSmall(long address) {
        try {
            NativeCalls.run(free, address, true);
        } catch (OutOfMemoryError e) {
            // The heap is exhausted, and the call could not create its segment.
            NativeCalls.run(freeFunction, address);
        }
    }

    /// Returns the address of a new block. The caller has checked size, alignment and native access.
    long allocateBlock(long byteSize, long byteAlignment, boolean zeroed) {
        long address = tryAllocate(byteSize, byteAlignment, zeroed);
        if (address == 0) {
            throw exhausted(byteSize, byteAlignment, functionFor(byteSize, byteAlignment, zeroed));
        }
        return address;
    }

    /// Returns the address of a new block, or 0 if there is no memory left.
    long tryAllocate(long byteSize, long byteAlignment, boolean zeroed) {
        if (isRefused(byteSize)) {
            return 0;
        }
        long nativeByteSize = nativeByteSize(byteSize, byteAlignment);
        if (isMapped(nativeByteSize)) {
            return PageMappings.map(pages(nativeByteSize), Math.max(byteAlignment, PageMappings.HUGE_PAGE), true);
        }
        boolean critical = nativeByteSize <= largestCritical;
        if (byteAlignment > MALLOC_ALIGNMENT) {
            long address = allocateAligned(nativeByteSize, byteAlignment);
            if (zeroed && address != 0) {
                Memory.zero(address, byteSize);
            }
            return address;
        }
        long blockSize = blockSize(byteSize, byteAlignment);
        return zeroed
                ? NativeCalls.call(calloc, 1, blockSize, critical)
                : NativeCalls.call(malloc, blockSize, critical);
    }

    /// The name of the function that allocates a block, for the message of [#exhausted].
    String functionFor(long byteSize, long byteAlignment, boolean zeroed) {
        if (isMapped(nativeByteSize(byteSize, byteAlignment))) {
            return "mmap";
        }
        if (byteAlignment > MALLOC_ALIGNMENT) {
            return "aligned_alloc";
        }
        return zeroed ? "calloc" : "malloc";
    }

    /// Frees a block whose [#nativeByteSize] is given. The caller has checked native access.
    void freeBlock(long address, long nativeByteSize) {
        if (isMapped(nativeByteSize)) {
            PageMappings.unmap(address, pages(nativeByteSize));
        } else if (nativeByteSize <= largestCritical) {
            freeSmall(address);
        } else {
            NativeCalls.run(freeFunction, address);
        }
    }

    private boolean isRefused(long byteSize) {
        return refuses != null && refuses.test(byteSize);
    }

    /// Whether slabs are to be cut from mappings.
    boolean hasMappings() {
        return mapped;
    }

    /// Returns the address of a new mapping of ordinary pages, from which slabs are cut.
    ///
    /// @param byteSize a multiple of the page size
    long map(long byteSize, long byteAlignment) {
        long address = isRefused(byteSize) ? 0 : PageMappings.map(byteSize, byteAlignment, false);
        if (address == 0) {
            throw exhausted(byteSize, byteAlignment, "mmap");
        }
        return address;
    }

    /// The size of the native block for a block. C11 requires the size of an aligned block to be a multiple of the
    /// alignment, and some allocators check it.
    static long nativeByteSize(long byteSize, long byteAlignment) {
        return byteAlignment <= MALLOC_ALIGNMENT ? byteSize : Sizes.alignUp(Math.max(byteSize, 1), byteAlignment);
    }

    /// The size that a block takes from the system, without what the allocator needs for its own data. A block with a
    /// larger alignment than malloc's may be cut from one that is larger by the alignment.
    long takenByteSize(long byteSize, long byteAlignment) {
        long nativeByteSize = nativeByteSize(byteSize, byteAlignment);
        if (isMapped(nativeByteSize)) {
            return pages(nativeByteSize);
        }
        return byteAlignment <= MALLOC_ALIGNMENT ? nativeByteSize : nativeByteSize + byteAlignment;
    }

    private boolean isMapped(long nativeByteSize) {
        return mapped && nativeByteSize >= SMALLEST_MAPPED;
    }

    /// The size of the pages of a mapped block.
    private static long pages(long nativeByteSize) {
        return Sizes.alignUp(nativeByteSize, PageMappings.pageByteSize());
    }

    private long allocateAligned(long nativeByteSize, long byteAlignment) {
        if (alignedAlloc == NO_FUNCTION) {
            throw new UnsupportedOperationException("No aligned_alloc in the C library: byteAlignment=" + byteAlignment
                    + ", largest=" + MALLOC_ALIGNMENT + ", os=" + System.getProperty("os.name") + ", arch="
                    + System.getProperty("os.arch"));
        }
        long address = NativeCalls.call(alignedAlloc, byteAlignment, nativeByteSize,
                nativeByteSize <= largestCritical);
        return isAligned(address, byteAlignment)
                ? address
                : allocateAlignedAgain(address, nativeByteSize, byteAlignment);
    }

    /// Works around mimalloc 2.0.9 of Debian 12, which ignores an alignment above 128 if the size is a power of two up
    /// to 1 KiB.
    private long allocateAlignedAgain(long misaligned, long size, long byteAlignment) {
        freeBlock(misaligned, size);
        // Still a multiple of the alignment, but not a power of two.
        long address = NativeCalls.call(alignedAlloc, byteAlignment, 3 * size, false);
        if (!isAligned(address, byteAlignment)) {
            freeBlock(address, 3 * size);
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

    /// The error of an allocation that the user has requested.
    OutOfMemoryError exhausted(long byteSize, long byteAlignment, String function) {
        return new OutOfMemoryError("Native memory exhausted: byteSize=" + byteSize + ", byteAlignment=" + byteAlignment
                + ", allocator=" + name + ", tried=" + function);
    }

    private static SymbolLookup load(Path path, String moreRemedy) {
        try {
            return NativeFunctions.load(path);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("Cannot load library: path=" + path + ", reason=" + e.getMessage()
                    + "; check that it exists and matches this machine" + moreRemedy, e);
        }
    }

    private static NativeAllocator find(String name, SymbolLookup lookup, String malloc, String calloc,
            String free, String alignedAlloc) {
        return new NativeAllocator(name, find(name, lookup, malloc), find(name, lookup, calloc),
                find(name, lookup, free), find(name, lookup, alignedAlloc), NO_CRITICAL,
                false, null);
    }

    private static long find(String name, SymbolLookup lookup, String function) {
        return lookup.find(function)
                .map(MemorySegment::address)
                .orElseThrow(() -> new IllegalArgumentException(
                        "Allocator lacks a function: allocator=" + name + ", function=" + function));
    }

    private static final class Libc {
        static final NativeAllocator INSTANCE = make(NativeFunctions.libc());

        private Libc() {}

        private static NativeAllocator make(SymbolLookup libc) {
            // Windows has the other four but no aligned_alloc.
            return new NativeAllocator("libc", find("libc", libc, "malloc"), find("libc", libc, "calloc"),
                    find("libc", libc, "free"),
                    libc.find("aligned_alloc").map(MemorySegment::address).orElse(NO_FUNCTION),
                    LARGEST_CRITICAL, false, null);
        }
    }

    private static final class Pages {
        static final NativeAllocator INSTANCE = make(Libc.INSTANCE);

        private Pages() {}

        private static NativeAllocator make(NativeAllocator libc) {
            return new NativeAllocator("pages", libc.malloc, libc.calloc, libc.free, libc.alignedAlloc,
                    LARGEST_CRITICAL, true, null);
        }
    }
}
