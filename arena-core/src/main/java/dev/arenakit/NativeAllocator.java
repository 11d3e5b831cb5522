package dev.arenakit;

import dev.arenakit.internal.AllocatorFunctions;
import dev.arenakit.internal.PageMappings;
import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.nativecall.NativeAccess;
import dev.arenakit.internal.nativecall.NativeFunctions;
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
    private final AllocatorFunctions functions;

    private NativeAllocator(AllocatorFunctions functions) {
        this.functions = functions;
    }

    /// The functions, which the arenas and the pools of this package call.
    AllocatorFunctions functions() {
        return functions;
    }

    /// Returns the allocator of the process: the functions that `malloc`, `calloc`, `free` and `aligned_alloc` are for
    /// C code, when this method is first called.
    ///
    /// These are the functions of the C library, unless another library replaces them: one that `LD_PRELOAD` names,
    /// such as jemalloc or glibc's `libc_malloc_debug.so.0`, or one that the executable is linked with. A library that
    /// replaces only some of the four is not used, because a block must be freed by the allocator that it comes from.
    /// Calls to a replacement are plain calls; [#withCriticalCalls()] makes them critical.
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
        AllocatorFunctions.find("jemalloc", library, "mallctl");
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
        return find(Objects.requireNonNull(name), lookup, malloc, calloc, free, Objects.requireNonNull(alignedAlloc));
    }

    /// Returns the allocator of a library that has no `aligned_alloc`, such as the C library of Windows, as
    /// [#of(String, SymbolLookup, String, String, String, String)] does for other libraries. A block whose alignment is
    /// above 16 begins within a block of `malloc`, which is larger by the alignment.
    ///
    /// @param name   a name for messages
    /// @param lookup the lookup that finds the functions
    /// @param malloc the name of `void *malloc(size_t)`, whose blocks begin at multiples of 16
    /// @param calloc the name of `void *calloc(size_t, size_t)`, whose blocks begin at multiples of 16
    /// @param free   the name of `void free(void *)`
    /// @return the allocator
    /// @throws IllegalCallerException   if native access is denied
    /// @throws IllegalArgumentException if the lookup lacks a function
    public static NativeAllocator of(String name, SymbolLookup lookup, String malloc, String calloc, String free) {
        NativeAccess.require();
        return find(Objects.requireNonNull(name), lookup, malloc, calloc, free, null);
    }

    /// Returns an allocator with the same functions, which uses critical calls up to 64 KiB. The functions must be
    /// known to return quickly. An allocator that [refuses][#failing] some allocations keeps its plain calls.
    ///
    /// @return another allocator; this one is unchanged
    public NativeAllocator withCriticalCalls() {
        return new NativeAllocator(functions.withCriticalCalls());
    }

    /// Returns an allocator that uses another one and refuses some allocations, as if memory were exhausted: for tests
    /// of programs, and of arenas. It uses plain calls.
    ///
    /// {@snippet file="dev/arenakit/Snippets.java" region="failing"}
    ///
    /// @param allocator the other allocator; each allocator may free blocks of the other
    /// @param refuses   is asked before each allocation, with its size in bytes, in the thread that
    ///                  allocates, possibly with locks held; returns whether to refuse it. It must not use an arena
    ///                  over the allocator. The size includes the bytes that an arena adds to a block. It may be the
    ///                  size of a mapping that a pool cuts into slabs.
    /// @return another allocator
    public static NativeAllocator failing(NativeAllocator allocator, LongPredicate refuses) {
        Objects.requireNonNull(refuses, "refuses");
        return new NativeAllocator(allocator.functions.refusing(refuses));
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
        return functions.allocateBlock(byteSize, byteAlignment, false);
    }

    /// Frees a block. As in C, an address that is not a live block of this allocator leads to undefined behavior, and
    /// so does a second call.
    ///
    /// @param address       the address that [#allocate] returned
    /// @param byteSize      the size that was passed to [#allocate], in bytes
    /// @param byteAlignment the alignment that was passed to [#allocate], in bytes
    /// @throws IllegalCallerException if native access is denied
    public void free(long address, long byteSize, long byteAlignment) {
        NativeAccess.require();
        functions.freeBlock(address, byteSize, byteAlignment);
    }

    /// Returns the name of the allocator.
    @Override
    public String toString() {
        return functions.toString();
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
            String free, @Nullable String alignedAlloc) {
        return new NativeAllocator(AllocatorFunctions.find(name, lookup, malloc, calloc, free, alignedAlloc));
    }

    private static final class Libc {
        static final NativeAllocator INSTANCE = new NativeAllocator(AllocatorFunctions.libc());

        private Libc() {}
    }

    private static final class Pages {
        static final NativeAllocator INSTANCE = new NativeAllocator(AllocatorFunctions.pages());

        private Pages() {}
    }
}
