package dev.arenakit.internal;

import dev.arenakit.internal.nativecall.NativeAccess;
import dev.arenakit.internal.nativecall.NativeCalls;
import dev.arenakit.internal.nativecall.NativeFunctions;
import dev.arenakit.internal.nativecall.ProcessMalloc;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/// The functions of a native allocator, by address: `malloc`, `calloc`, `free` and `aligned_alloc`, or mappings for
/// large blocks.
///
/// Callers must call [NativeAccess#require] before they allocate or free, and check sizes and alignments.
public final class AllocatorFunctions {
    /// Above this size, the work in malloc and free may delay a safepoint noticeably.
    private static final long LARGEST_CRITICAL = 64 * 1024;
    private static final long NO_CRITICAL = -1;

    /// The smallest block that [#pages()] maps: a mapping costs microseconds, and smaller blocks have no huge page.
    private static final long SMALLEST_MAPPED = PageMappings.HUGE_PAGE;

    /// The alignment that malloc guarantees: `alignof(max_align_t)` on x86-64 and aarch64, for blocks of at least that
    /// size.
    public static final long MALLOC_ALIGNMENT = 16;

    private static final long NO_FUNCTION = 0;

    private final String name;
    // The addresses of the functions.
    private final long malloc;
    private final long calloc;
    private final long free;
    private final long alignedAlloc;
    private final long largestCritical;
    /// Whether the memory of large blocks and of slabs is mapped.
    private final boolean mapped;
    /// Refuses some sizes, or null.
    private final @Nullable LongPredicate refuses;
    /// Counts the blocks, or null.
    private final @Nullable ByteAccount account;
    /// The name of the arena that uses these functions, or empty.
    private final String user;

    private AllocatorFunctions(String name, long malloc, long calloc, long free, long alignedAlloc,
            long largestCritical, boolean mapped, @Nullable LongPredicate refuses, @Nullable ByteAccount account,
            String user) {
        this.name = name;
        this.malloc = malloc;
        this.calloc = calloc;
        this.free = free;
        this.alignedAlloc = alignedAlloc;
        this.largestCritical = largestCritical;
        this.mapped = mapped;
        this.refuses = refuses;
        this.account = account;
        this.user = user;
    }

    /// Returns the functions of the C library that the JVM uses, or those that [replace][ProcessMalloc] them.
    public static AllocatorFunctions libc() {
        return Libc.INSTANCE;
    }

    /// Returns the functions of the C library, with mappings for large blocks and for slabs. The caller has checked
    /// [PageMappings#isSupported].
    public static AllocatorFunctions pages() {
        return Pages.INSTANCE;
    }

    /// Returns the default of pools: [#pages()], or [#libc()] on systems without mappings.
    public static AllocatorFunctions ofPools() {
        return PageMappings.isSupported() ? pages() : libc();
    }

    /// Returns the functions that have the given names in a lookup. Calls to them are plain.
    ///
    /// @param name         the name of the allocator, for messages
    /// @param alignedAlloc the name of the function, or null if there is none
    /// @throws IllegalArgumentException if the lookup lacks a function
    public static AllocatorFunctions find(String name, SymbolLookup lookup, String malloc, String calloc, String free,
            @Nullable String alignedAlloc) {
        return new AllocatorFunctions(name, find(name, lookup, malloc), find(name, lookup, calloc),
                find(name, lookup, free), alignedAlloc == null ? NO_FUNCTION : find(name, lookup, alignedAlloc),
                NO_CRITICAL, false, null, null, "");
    }

    /// Returns the address of a function.
    ///
    /// @throws IllegalArgumentException if the lookup lacks it
    public static long find(String name, SymbolLookup lookup, String function) {
        return lookup.find(function)
                .map(MemorySegment::address)
                .orElseThrow(() -> new IllegalArgumentException(
                        "Allocator lacks a function: allocator=" + name + ", function=" + function));
    }

    /// Returns these functions with critical calls up to 64 KiB, or with plain calls if they [refuse][#refusing] or
    /// [count][#countedOn] allocations.
    public AllocatorFunctions withCriticalCalls() {
        return new AllocatorFunctions(name, malloc, calloc, free, alignedAlloc,
                refuses == null && account == null ? LARGEST_CRITICAL : NO_CRITICAL, mapped, refuses, account, user);
    }

    /// Returns these functions with plain calls that refuse further allocations.
    ///
    /// @param more returns whether to refuse an allocation of a size in bytes
    public AllocatorFunctions refusing(LongPredicate more) {
        LongPredicate first = refuses;
        return new AllocatorFunctions(name, malloc, calloc, free, alignedAlloc, NO_CRITICAL, mapped,
                first == null ? more : first.or(more), account, user);
    }

    /// Returns these functions with plain calls, which count each block on an account until it is freed. Mappings for
    /// slabs are not counted.
    public AllocatorFunctions countedOn(ByteAccount account) {
        return new AllocatorFunctions(name, malloc, calloc, free, alignedAlloc, NO_CRITICAL, mapped, refuses, account,
                user);
    }

    /// Returns these functions for an arena with a name, which messages contain.
    public AllocatorFunctions usedBy(String user) {
        return user.isEmpty()
                ? this
                : new AllocatorFunctions(name, malloc, calloc, free, alignedAlloc, largestCritical, mapped, refuses,
                        account, user);
    }

    /// The name of the arena that uses these functions, or empty. It is here and not in the arena, which would be
    /// larger.
    public String user() {
        return user;
    }

    /// Returns the name of the allocator.
    @Override
    public String toString() {
        return name;
    }

    /// The largest size of a block that is allocated and freed by critical calls if it has malloc's alignment, or a
    /// negative number.
    public long largestSmall() {
        return largestCritical;
    }

    /// Returns the address of a new block, or 0 if there is no memory left. The block is [small][#largestSmall] or
    /// slightly larger, and not zeroed.
    public long tryAllocateSmall(long byteSize) {
        return NativeCalls.call(malloc, byteSize, true);
    }

    /// Frees a block that was allocated by [#tryAllocateSmall].
    public void freeSmall(long address) {
        NativeCalls.run(free, address, true);
    }

    /// Returns the address of a new block. The caller has checked size, alignment and native access.
    public long allocateBlock(long byteSize, long byteAlignment, boolean zeroed) {
        long address = tryAllocate(byteSize, byteAlignment, zeroed);
        if (address == 0) {
            throw exhausted(byteSize, byteAlignment, functionFor(byteSize, byteAlignment, zeroed));
        }
        return address;
    }

    /// Returns the address of a new block, or 0 if there is no memory left. An account throws an exception of its own.
    public long tryAllocate(long byteSize, long byteAlignment, boolean zeroed) {
        if (isRefused(byteSize)) {
            return 0;
        }
        return account == null
                ? tryAllocateUncounted(byteSize, byteAlignment, zeroed)
                : tryAllocateCounted(byteSize, byteAlignment, zeroed);
    }

    private long tryAllocateCounted(long byteSize, long byteAlignment, boolean zeroed) {
        long nativeByteSize = nativeByteSize(byteSize, byteAlignment);
        count(nativeByteSize);
        long address = 0;
        try {
            address = tryAllocateUncounted(byteSize, byteAlignment, zeroed);
            return address;
        } finally {
            if (address == 0) {
                uncount(nativeByteSize);
            }
        }
    }

    private long tryAllocateUncounted(long byteSize, long byteAlignment, boolean zeroed) {
        long nativeByteSize = nativeByteSize(byteSize, byteAlignment);
        if (isMapped(nativeByteSize)) {
            return PageMappings.map(pages(nativeByteSize), Math.max(byteAlignment, PageMappings.HUGE_PAGE), true);
        }
        if (isPadded(byteAlignment)) {
            return allocatePadded(nativeByteSize, byteAlignment, zeroed);
        }
        if (byteAlignment > MALLOC_ALIGNMENT) {
            long address = allocateAligned(nativeByteSize, byteAlignment);
            if (zeroed && address != 0) {
                Memory.zero(address, byteSize);
            }
            return address;
        }
        return allocateUnaligned(blockSize(byteSize, byteAlignment), zeroed);
    }

    private long allocateUnaligned(long blockSize, boolean zeroed) {
        boolean critical = blockSize <= largestCritical;
        return zeroed
                ? NativeCalls.call(calloc, 1, blockSize, critical)
                : NativeCalls.call(malloc, blockSize, critical);
    }

    /// Whether a block with this alignment begins within a block of malloc, which is larger by the alignment. The
    /// address of the block of malloc is in the 8 bytes before the aligned block.
    ///
    /// Windows has `_aligned_malloc`, which does the same. This way needs no further functions, and works on each
    /// system.
    private boolean isPadded(long byteAlignment) {
        return alignedAlloc == NO_FUNCTION && byteAlignment > MALLOC_ALIGNMENT;
    }

    private long allocatePadded(long nativeByteSize, long byteAlignment, boolean zeroed) {
        long start = allocateUnaligned(nativeByteSize + byteAlignment, zeroed);
        if (start == 0) {
            return 0;
        }
        // Both are multiples of malloc's alignment, so that there are at least 16 bytes between them.
        long address = Sizes.alignUp(start + 1, byteAlignment);
        Memory.putLong(address - Long.BYTES, start);
        return address;
    }

    /// The name of the function that allocates a block, for the message of [#exhausted].
    public String functionFor(long byteSize, long byteAlignment, boolean zeroed) {
        if (isMapped(nativeByteSize(byteSize, byteAlignment))) {
            return "mmap";
        }
        if (byteAlignment > MALLOC_ALIGNMENT && !isPadded(byteAlignment)) {
            return "aligned_alloc";
        }
        return zeroed ? "calloc" : "malloc";
    }

    /// Frees a block with the size and the alignment with which it was allocated. The caller has checked native access.
    public void freeBlock(long address, long byteSize, long byteAlignment) {
        long nativeByteSize = nativeByteSize(byteSize, byteAlignment);
        freeUncounted(address, nativeByteSize, byteAlignment);
        uncount(nativeByteSize);
    }

    /// Counts a block that these functions have not allocated, and that [#freeBlock] may free. Without an account, this
    /// method does nothing. An account may throw an exception of its own.
    public void count(long nativeByteSize) {
        if (account != null) {
            long counted = countedByteSize(nativeByteSize);
            if (!account.reserve(counted)) {
                throw account.exceeded(counted, userText());
            }
        }
    }

    /// Counts a block no longer, which these functions will not free.
    public void uncount(long nativeByteSize) {
        if (account != null) {
            account.release(countedByteSize(nativeByteSize));
        }
    }

    private void freeUncounted(long address, long nativeByteSize, long byteAlignment) {
        if (isMapped(nativeByteSize)) {
            PageMappings.release(address, pages(nativeByteSize));
        } else if (isPadded(byteAlignment)) {
            NativeCalls.run(free, Memory.getLong(address - Long.BYTES),
                    nativeByteSize + byteAlignment <= largestCritical);
        } else {
            NativeCalls.run(free, address, nativeByteSize <= largestCritical);
        }
    }

    /// Whether a block can have a smaller [#nativeByteSize] where it is: it is mapped, and remains so.
    public boolean canShrinkTo(long newNativeByteSize) {
        return isMapped(newNativeByteSize);
    }

    /// Unmaps the pages that a block does not need any more, which [can shrink][#canShrinkTo].
    public void shrink(long address, long nativeByteSize, long newNativeByteSize) {
        long kept = pages(newNativeByteSize);
        long unmapped = pages(nativeByteSize) - kept;
        PageMappings.unmap(address + kept, unmapped);
        if (account != null) {
            account.release(unmapped);
        }
    }

    /// The size of a block on the account. A block of size 0 takes memory, too.
    private long countedByteSize(long nativeByteSize) {
        return Math.max(isMapped(nativeByteSize) ? pages(nativeByteSize) : nativeByteSize, 1);
    }

    private boolean isRefused(long byteSize) {
        return refuses != null && refuses.test(byteSize);
    }

    /// Whether the `free` of C code frees every block of these functions with malloc's alignment, and they free every
    /// block of C code.
    public boolean isOfC() {
        return free == Libc.INSTANCE.free && !mapped;
    }

    /// Checks that the `free` of C code frees the blocks with an alignment. The functions are [of C][#isOfC].
    ///
    /// @throws UnsupportedOperationException if C has no function that frees such a block
    public void checkReleasable(long byteAlignment) {
        if (isPadded(byteAlignment)) {
            throw new UnsupportedOperationException("The C library has no aligned_alloc, and its free frees no aligned "
                    + "block: byteAlignment=" + byteAlignment + ", largest=" + MALLOC_ALIGNMENT
                    + "; copy the block to one with a smaller alignment, and release that one");
        }
    }

    /// Whether pools cut their slabs from mappings of [#map].
    public boolean hasMappings() {
        return mapped;
    }

    /// Returns the address of a new mapping of ordinary pages, for slabs.
    ///
    /// @param byteSize a multiple of the page size
    public long map(long byteSize, long byteAlignment) {
        long address = tryMap(byteSize, byteAlignment);
        if (address == 0) {
            throw exhausted(byteSize, byteAlignment, "mmap");
        }
        return address;
    }

    /// Returns the address of a new mapping of ordinary pages, or 0 if there is no memory left.
    ///
    /// @param byteSize a multiple of the page size
    public long tryMap(long byteSize, long byteAlignment) {
        return isRefused(byteSize) ? 0 : PageMappings.map(byteSize, byteAlignment, false);
    }

    /// The size of the native block for a block. C11 requires the size of an aligned block to be a multiple of the
    /// alignment, and some allocators check it.
    public static long nativeByteSize(long byteSize, long byteAlignment) {
        return byteAlignment <= MALLOC_ALIGNMENT ? byteSize : Sizes.alignUp(Math.max(byteSize, 1), byteAlignment);
    }

    /// The size that a block takes from the system, without the allocator's own data. An allocator may cut a block with
    /// a larger alignment than malloc's from a block that is larger by the alignment.
    public long takenByteSize(long byteSize, long byteAlignment) {
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
        long address = NativeCalls.call(alignedAlloc, byteAlignment, nativeByteSize,
                nativeByteSize <= largestCritical);
        return isAligned(address, byteAlignment)
                ? address
                : allocateAlignedAgain(address, nativeByteSize, byteAlignment);
    }

    /// Works around a bug of mimalloc 2.0.9 in Debian 12: it ignores an alignment above 128 if the size is a power of
    /// two up to 1 KiB.
    private long allocateAlignedAgain(long misaligned, long size, long byteAlignment) {
        freeUncounted(misaligned, size, byteAlignment);
        // Still a multiple of the alignment, but not a power of two.
        long address = NativeCalls.call(alignedAlloc, byteAlignment, 3 * size, false);
        if (!isAligned(address, byteAlignment)) {
            freeUncounted(address, 3 * size, byteAlignment);
            throw new IllegalStateException("Allocator ignores the alignment: allocator=" + name + ", byteAlignment="
                    + byteAlignment + ", address=0x" + Long.toHexString(address)
                    + "; pass the name of its aligned_alloc");
        }
        return address;
    }

    private static boolean isAligned(long address, long byteAlignment) {
        return (address & (byteAlignment - 1)) == 0;
    }

    /// Returns a size for malloc. It is not 0, because malloc may then return null. It is not below the alignment,
    /// because some allocators align a small block to its size class only.
    private static long blockSize(long byteSize, long byteAlignment) {
        return Math.max(byteSize, byteAlignment);
    }

    /// The error of an allocation that the user has requested.
    ///
    /// @throws dev.arenakit.CapacityExceededException if the number of mappings was the reason
    public OutOfMemoryError exhausted(long byteSize, long byteAlignment, String function) {
        if (function.equals("mmap")) {
            PageMappings.checkLimit();
        }
        return new OutOfMemoryError("Native memory exhausted: byteSize=" + byteSize + ", byteAlignment=" + byteAlignment
                + ", allocator=" + name + ", tried=" + function + userText());
    }

    /// The name of the arena as a part of a message, or nothing.
    public String userText() {
        return user.isEmpty() ? "" : ", arena=" + user;
    }

    private static final class Libc {
        static final AllocatorFunctions INSTANCE = make(NativeFunctions.libc());

        private Libc() {}

        private static AllocatorFunctions make(SymbolLookup libc) {
            ProcessMalloc process = ProcessMalloc.replacing(libc);
            if (process != null) {
                return new AllocatorFunctions("libc", process.malloc(), process.calloc(), process.free(),
                        process.alignedAlloc(), NO_CRITICAL, false, null, null, "");
            }
            // Windows has the other three functions, but no aligned_alloc.
            return new AllocatorFunctions("libc", find("libc", libc, "malloc"), find("libc", libc, "calloc"),
                    find("libc", libc, "free"),
                    libc.find("aligned_alloc").map(MemorySegment::address).orElse(NO_FUNCTION),
                    LARGEST_CRITICAL, false, null, null, "");
        }
    }

    private static final class Pages {
        static final AllocatorFunctions INSTANCE = make(Libc.INSTANCE);

        private Pages() {}

        private static AllocatorFunctions make(AllocatorFunctions libc) {
            return new AllocatorFunctions("pages", libc.malloc, libc.calloc, libc.free, libc.alignedAlloc,
                    libc.largestCritical, true, null, null, "");
        }
    }
}
