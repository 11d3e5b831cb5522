package dev.arenakit.internal.file;

import dev.arenakit.internal.nativecall.CFunction;
import dev.arenakit.internal.nativecall.CHeaders;
import dev.arenakit.internal.nativecall.Errno;
import dev.arenakit.internal.nativecall.LinuxSystem;
import dev.arenakit.internal.nativecall.NativeAccess;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// The pages of a mapped file in memory. The first byte of each segment is the first byte of a page; a last page that
/// is not complete counts as a whole. The scope of a segment cannot end during a call.
///
/// Callers must call [#require] before the first use of any other method.
public final class MappedPages {
    /// The advice of `madvise` that does not change contents.
    public enum Use {
        /// `MADV_NORMAL`
        NORMAL(CHeaders.MADV_NORMAL),
        /// `MADV_RANDOM`
        RANDOM(CHeaders.MADV_RANDOM),
        /// `MADV_SEQUENTIAL`
        SEQUENTIAL(CHeaders.MADV_SEQUENTIAL),
        /// `MADV_WILLNEED`
        WILL_NEED(CHeaders.MADV_WILLNEED),
        /// `MADV_PAGEOUT`
        PAGE_OUT(CHeaders.MADV_PAGEOUT);

        private final int constant;

        Use(int constant) {
            this.constant = constant;
        }
    }

    /// The number of pages whose state is read by one call.
    private static final long PAGES = 1 << 16;

    private MappedPages() {}

    /// Whether this system has these calls, and native access is granted.
    public static boolean isAvailable() {
        return LinuxSystem.isKnown() && NativeAccess.isGranted();
    }

    /// Checks that this system has these calls.
    ///
    /// @throws UnsupportedOperationException if the system is another one
    /// @throws IllegalCallerException        if native access is denied
    public static void require() {
        if (!LinuxSystem.isKnown()) {
            throw new UnsupportedOperationException(
                    "Pages of files are known on Linux x86-64 and aarch64 only: " + LinuxSystem.describe());
        }
        NativeAccess.require();
    }

    /// Tells the kernel how pages will be used.
    ///
    /// @throws UnsupportedOperationException if the kernel does not know the advice
    /// @throws OutOfMemoryError              if the process has too many mappings
    /// @throws IOException                   if an I/O error occurs
    public static void advise(MemorySegment pages, Use use) throws IOException {
        int advice = use.constant;
        int result = madvise(pages, advice);
        switch (-result) {
            case 0 -> {
                // The kernel has taken the advice.
            }
            case CHeaders.EINVAL -> throw unsupported(advice);
            case CHeaders.ENOMEM -> throw new OutOfMemoryError(
                    "Mapping cannot be split for an advice: byteSize=" + pages.byteSize() + ", advice=" + advice
                            + "; give advice for larger segments, or raise the limit (vm.max_map_count)");
            default ->
                throw new IOException("Pages cannot be advised: advice=" + advice + ", " + Errno.describe(result));
        }
    }

    /// Reads all pages into memory, and prepares them for stores. Holes of the file get blocks.
    ///
    /// @return false if the file has no byte, or the disk no space, for a page
    /// @throws UnsupportedOperationException if the kernel cannot do that; Linux can since 5.14
    /// @throws IOException                   if an I/O error occurs
    public static boolean populate(MemorySegment pages) throws IOException {
        int result;
        do {
            result = madvise(pages, CHeaders.MADV_POPULATE_WRITE);
        } while (result == -CHeaders.EINTR || result == -CHeaders.EAGAIN);
        return switch (-result) {
            case 0 -> true;
            case CHeaders.EFAULT -> false;
            case CHeaders.EINVAL -> throw unsupported(CHeaders.MADV_POPULATE_WRITE);
            case CHeaders.ENOMEM -> throw new OutOfMemoryError("No memory for pages: byteSize=" + pages.byteSize());
            default -> throw new IOException("Pages cannot be read into memory: " + Errno.describe(result));
        };
    }

    /// Returns how many bytes of a range of pages are in memory.
    ///
    /// @param start the offset of the range in the segment
    /// @param end   the end of the range
    /// @throws IOException if the kernel refuses to tell
    public static long residentBytes(MemorySegment pages, long pageByteSize, long start, long end) throws IOException {
        long resident = 0;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment states = arena.allocate(PAGES);
            for (long at = 0; at < pages.byteSize(); at += PAGES * pageByteSize) {
                MemorySegment part = pages.asSlice(at, Math.min(PAGES * pageByteSize, pages.byteSize() - at));
                int result = mincore(part, states);
                if (result < 0) {
                    throw new IOException("State of pages cannot be read: " + Errno.describe(result));
                }
                long count = Math.ceilDiv(part.byteSize(), pageByteSize);
                for (long i = 0; i < count; i++) {
                    if ((states.get(JAVA_BYTE, i) & 1) != 0) {
                        long page = at + i * pageByteSize;
                        resident += Math.min(end, page + pageByteSize) - Math.max(start, page);
                    }
                }
            }
        }
        return resident;
    }

    private static UnsupportedOperationException unsupported(int advice) {
        return new UnsupportedOperationException("Kernel does not know an advice: advice=" + advice + ", "
                + LinuxSystem.describe() + ", version=" + System.getProperty("os.version")
                + "; MADV_PAGEOUT (21) needs Linux 5.4, MADV_POPULATE_WRITE (23) 5.14");
    }

    private static int madvise(MemorySegment pages, int advice) {
        return (int) ErrnoCall.result(state -> (int) Calls.MADVISE.invokeExact(state, pages, pages.byteSize(), advice));
    }

    private static int mincore(MemorySegment pages, MemorySegment states) {
        return (int) ErrnoCall.result(state -> (int) Calls.MINCORE.invokeExact(state, pages, pages.byteSize(), states));
    }

    /// Initialized on first use, after native access has been checked.
    private static final class Calls {
        static final MethodHandle MADVISE = CFunction.MADVISE.handleOfSegmentsWithErrno();
        static final MethodHandle MINCORE = CFunction.MINCORE.handleOfSegmentsWithErrno();

        private Calls() {}
    }
}
