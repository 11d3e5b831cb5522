package dev.arenakit.internal.file;

import dev.arenakit.internal.PageMappings;
import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.nativecall.CFunction;
import dev.arenakit.internal.nativecall.CHeaders;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Map;
import java.util.NavigableMap;

/// Replaces the mappings of files by pages of zeros, which belong to this process alone. The addresses stay valid.
///
/// Callers must call [MappedPages#require] before the first use of any other method.
public final class PrivatePages {
    private PrivatePages() {}

    /// Replaces the mapping of a segment, which begins and ends with the mapping. The scope of the segment cannot end
    /// meanwhile.
    ///
    /// @return false if the system refuses it; nothing has changed
    public static boolean replace(MemorySegment mapping) {
        return ErrnoCall.result(state -> (long) Functions.MMAP.invokeExact(state, mapping, mapping.byteSize(),
                CHeaders.PROT_READ | CHeaders.PROT_WRITE,
                CHeaders.MAP_PRIVATE | CHeaders.MAP_ANONYMOUS | CHeaders.MAP_NORESERVE | CHeaders.MAP_FIXED, -1,
                0L)) >= 0;
    }

    /// The address of the end of a mapping, which consists of whole pages.
    public static long end(MemorySegment mapping) {
        return mapping.address() + Sizes.alignUp(mapping.byteSize(), PageMappings.pageByteSize());
    }

    /// Counts the mappings of the process that touch a range.
    ///
    /// @param ranges the ends of the ranges by their starts
    /// @return the number, or -1 if the system does not list mappings
    public static int count(NavigableMap<Long, Long> ranges) {
        int count = 0;
        boolean isListed = false;
        for (UnownedMappings.Line line : UnownedMappings.list()) {
            isListed = true;
            Map.Entry<Long, Long> last = ranges.lowerEntry(line.end());
            count += last != null && last.getValue() > line.start() ? 1 : 0;
        }
        return isListed ? count : -1;
    }

    /// Initialized on first use, after native access has been checked.
    private static final class Functions {
        static final MethodHandle MMAP = CFunction.MMAP.handleOfSegmentsWithErrno();

        private Functions() {}
    }
}
