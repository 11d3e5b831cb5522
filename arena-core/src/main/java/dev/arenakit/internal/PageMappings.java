package dev.arenakit.internal;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.internal.nativecall.CFunction;
import dev.arenakit.internal.nativecall.CHeaders;
import dev.arenakit.internal.nativecall.LinuxSystem;
import dev.arenakit.internal.nativecall.NativeAccess;
import dev.arenakit.internal.nativecall.NativeCalls;
import java.io.BufferedReader;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/// Anonymous private mappings: zeroed pages of the operating system.
///
/// A page takes no memory before it is first touched.
///
/// This class counts its mappings, and makes no more than half of the mappings that Linux grants to a process
/// (`vm.max_map_count`): a JVM that cannot map a stack or a heap region of its own dies. The count is static because
/// the limit belongs to the process.
///
/// Callers must call [NativeAccess#require], and check [#isSupported], before the first use of any other method.
public final class PageMappings {
    /// The size of a huge page on x86-64, and on aarch64 with pages of 4 KiB. Elsewhere the kernel ignores the advice.
    public static final long HUGE_PAGE = 2 << 20;

    private static final long MAP_FAILED = -1;

    /// The mappings of reserved addresses whose middle is enabled: the guards of two neighbours become one.
    private static final long RESERVED = 2;

    private static final AtomicLong USED = new AtomicLong();

    private PageMappings() {}

    /// Whether this class can make mappings on this system: Linux on x86-64 or aarch64. Other systems have other
    /// constants.
    public static boolean isSupported() {
        return Support.KNOWN;
    }

    /// The size of a page in bytes.
    public static long pageByteSize() {
        return Functions.PAGE_BYTE_SIZE;
    }

    /// Maps zeroed pages.
    ///
    /// @param byteSize      the size in bytes, a multiple of the page size
    /// @param byteAlignment the alignment in bytes, a power of two
    /// @param huge          whether the kernel may use huge pages; the first touch of one takes 2 MiB
    /// @return the address, or 0 if there is no memory or no address space left, or [at the limit][#checkLimit]
    public static long map(long byteSize, long byteAlignment, boolean huge) {
        return advise(map(byteSize, byteAlignment, CHeaders.PROT_READ | CHeaders.PROT_WRITE, 1), byteSize, huge);
    }

    /// Gives back a whole mapping of [#map].
    public static void release(long address, long byteSize) {
        unmap(address, byteSize);
        USED.getAndAdd(-1);
    }

    /// Reserves addresses. An access to them kills the process, unless they are [enabled][#enable].
    ///
    /// @param byteSize      the size in bytes, a multiple of the page size
    /// @param byteAlignment the alignment in bytes, a power of two
    /// @return the address, or 0 if there is no address space left, or [at the limit][#checkLimit]
    public static long reserve(long byteSize, long byteAlignment) {
        return map(byteSize, byteAlignment, CHeaders.PROT_NONE, RESERVED);
    }

    /// Gives back all addresses of [#reserve].
    public static void releaseReserved(long address, long byteSize) {
        unmap(address, byteSize);
        releasedReserved();
    }

    /// Throws if the last mapping was refused for the number of mappings.
    ///
    /// @throws CapacityExceededException if no more mappings are made
    public static void checkLimit() {
        long used = USED.get();
        if (used > Limit.MAPPINGS - RESERVED) {
            throw new CapacityExceededException("Too many mappings of memory in this process", Limit.MAPPINGS, used, 1,
                    "close arenas, use one arena instead of many small ones, or raise vm.max_map_count: half of it is "
                            + "the limit");
        }
    }

    /// Makes reserved pages accessible. They are zeroed, unless they were accessible before.
    ///
    /// @param byteSize a multiple of the page size
    /// @return false if the process has too many mappings to split one; nothing has changed
    public static boolean enable(long address, long byteSize) {
        return protect(address, byteSize, CHeaders.PROT_READ | CHeaders.PROT_WRITE);
    }

    /// Makes pages inaccessible. They keep their memory, and the addresses stay reserved.
    ///
    /// @param byteSize a multiple of the page size
    /// @return false if the system refuses it; nothing has changed
    public static boolean disable(long address, long byteSize) {
        return protect(address, byteSize, CHeaders.PROT_NONE);
    }

    /// Returns the call that gives back all addresses of [#reserve]. The result consists of classes of the JDK alone:
    /// a cleaner that refers to it does not refer to this library.
    public static Runnable releaseOfReserved(long address, long byteSize) {
        return MethodHandleProxies.asInterfaceInstance(Runnable.class, MethodHandles
                .insertArguments(Functions.MUNMAP, 0, address, byteSize)
                .asType(MethodType.methodType(void.class)));
    }

    /// Counts addresses no more that [#releaseOfReserved] has given back.
    public static void releasedReserved() {
        USED.getAndAdd(-RESERVED);
    }

    /// Makes pages executable and read-only. Kernels for aarch64 make the processor's caches of code consistent, too.
    ///
    /// @param byteSize a multiple of the page size
    /// @return false if the system refuses it; nothing has changed
    public static boolean makeExecutable(long address, long byteSize) {
        return protect(address, byteSize, CHeaders.PROT_READ | CHeaders.PROT_EXEC);
    }

    private static boolean protect(long address, long byteSize, int protection) {
        try {
            return (int) Protection.MPROTECT.invokeExact(address, byteSize, protection) == 0;
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }

    private static long map(long byteSize, long byteAlignment, int protection, long count) {
        if (USED.getAndAdd(count) > Limit.MAPPINGS - count) {
            USED.getAndAdd(-count);
            return 0;
        }
        long address = map(byteSize, byteAlignment, protection);
        if (address == 0) {
            USED.getAndAdd(-count);
        }
        return address;
    }

    private static long map(long byteSize, long byteAlignment, int protection) {
        if (byteAlignment <= Functions.PAGE_BYTE_SIZE) {
            return map(byteSize, protection);
        }
        long start = map(byteSize + byteAlignment, protection);
        if (start == 0) {
            return 0;
        }
        long address = Sizes.alignUp(start, byteAlignment);
        unmap(start, address - start);
        unmap(address + byteSize, start + byteAlignment - address);
        return address;
    }

    /// Unmaps a range of pages.
    public static void unmap(long address, long byteSize) {
        if (byteSize > 0) {
            end(address, byteSize);
        }
    }

    /// Unmaps a range of pages. A size of 0 makes the same calls, but they have no effect.
    public static void end(long address, long byteSize) {
        try {
            if ((int) Functions.MUNMAP.invokeExact(address, byteSize) != 0) {
                // The process has too many mappings to split one: at least return the memory to the system.
                discard(address, byteSize);
            }
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }

    /// Returns the memory of a range of pages to the system. The pages remain mapped and contain zeros.
    public static void discard(long address, long byteSize) {
        madvise(address, byteSize, CHeaders.MADV_DONTNEED);
    }

    /// Advises the system that pages of a mapped file are accessed in random order, so that it reads none ahead.
    public static void adviseRandom(long address, long byteSize) {
        madvise(address, byteSize, CHeaders.MADV_RANDOM);
    }

    /// Advises the system to use huge pages for those parts of a range that are whole huge pages, when they are next
    /// touched for the first time.
    public static void adviseHuge(long address, long byteSize) {
        long start = Sizes.alignUp(address, HUGE_PAGE);
        long end = (address + byteSize) & -HUGE_PAGE;
        if (start < end) {
            advise(HugePageAdvice.MADVISE, start, end - start, CHeaders.MADV_HUGEPAGE);
        }
    }

    private static long map(long byteSize, int protection) {
        try {
            long address = (long) Functions.MMAP.invokeExact(0L, byteSize, protection,
                    CHeaders.MAP_PRIVATE | CHeaders.MAP_ANONYMOUS | CHeaders.MAP_NORESERVE, -1, 0L);
            return address == MAP_FAILED ? 0 : address;
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }

    private static long advise(long address, long byteSize, boolean huge) {
        if (address != 0) {
            madvise(address, byteSize, huge ? CHeaders.MADV_HUGEPAGE : CHeaders.MADV_NOHUGEPAGE);
        }
        return address;
    }

    private static void madvise(long address, long byteSize, int advice) {
        advise(Functions.MADVISE, address, byteSize, advice);
    }

    /// Gives advice that the kernel may ignore, as one without huge pages does.
    private static void advise(MethodHandle madvise, long address, long byteSize, int advice) {
        try {
            int _ = (int) madvise.invokeExact(address, byteSize, advice);
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }

    /// Apart from the functions: it needs no native access.
    private static final class Limit {
        /// The default of Linux, where the file cannot be read.
        private static final long DEFAULT = 65_530;
        /// The JVM, its libraries and file mappings have the other half.
        static final long MAPPINGS = read() / 2;

        private Limit() {}

        private static long read() {
            // In one read: the kernel has no more than the first digits for a reader with a small buffer.
            try (BufferedReader reader = Files.newBufferedReader(Path.of("/proc/sys/vm/max_map_count"))) {
                return Long.parseLong(reader.readLine());
            } catch (Throwable _) {
                // Nor may an exhausted stack make this class unusable.
                return DEFAULT;
            }
        }
    }

    private static final class Support {
        static final boolean KNOWN = LinuxSystem.isKnown();

        private Support() {}
    }

    /// Apart from the other functions: if the stack is exhausted while this class is initialized, mappings remain
    /// usable.
    private static final class HugePageAdvice {
        static final MethodHandle MADVISE = CFunction.MADVISE.handle();

        private HugePageAdvice() {}
    }

    /// Apart from the other functions, because few programs need it, and linking a call takes time.
    private static final class Protection {
        static final MethodHandle MPROTECT = CFunction.MPROTECT.handle();

        private Protection() {}
    }

    /// Initialized on first use, after native access has been checked.
    private static final class Functions {
        static final MethodHandle MMAP = CFunction.MMAP.handle();
        static final MethodHandle MUNMAP = CFunction.MUNMAP.handle();
        static final MethodHandle MADVISE = CFunction.MADVISE.handle();
        static final long PAGE_BYTE_SIZE = pageByteSize();

        static {
            // Link the calls that release memory, while there is heap memory. The kernel refuses a size of 0.
            end(0, 0);
        }

        private Functions() {}

        private static long pageByteSize() {
            try {
                return (long) CFunction.SYSCONF.handle().invokeExact(CHeaders._SC_PAGESIZE);
            } catch (Throwable t) {
                throw NativeCalls.unexpected(t);
            }
        }
    }
}
