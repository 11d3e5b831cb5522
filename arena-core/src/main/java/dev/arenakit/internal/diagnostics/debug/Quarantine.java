package dev.arenakit.internal.diagnostics.debug;

import dev.arenakit.internal.PageMappings;
import dev.arenakit.internal.diagnostics.event.Warnings;
import java.lang.ref.Cleaner;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// The blocks of closed debug arenas whose addresses stay reserved: an access of native code that has kept an address
/// terminates the process, instead of reading the memory of somebody else. The kernel and devices can still write there
/// what was requested before, so the memory is kept, and checked for changes.
///
/// It belongs to the process, because a reserved address outlives its arena. The arena that was closed first leaves
/// first. If the class loader of this library is collected, the memory returns to the system. Thread-safe.
final class Quarantine {
    /// Each block takes mappings of the 65,530 of a process, unless the kernel merges them with their neighbours.
    private static final int MOST_BLOCKS = 5_000;

    private static final Queue<Closed> ARENAS = new ArrayDeque<>();
    private static long files;

    private Quarantine() {}

    /// Runs actions when this class is collected. They consist of classes of the JDK. Apart from the rest, because few
    /// programs need the thread.
    private static final class Unloading {
        static final Cleaner CLEANER = Cleaner.create();
        static final Object LOADED = new Object();

        private Unloading() {}
    }

    /// A closed arena.
    private record Closed(List<Kept> blocks, @Nullable BlockFile file, long byteSize) {
        /// Returns what to throw if blocks were overwritten, or null.
        @Nullable
        Throwable verify() {
            Throwable found = null;
            for (Kept block : blocks) {
                found = DebugBlocks.merge(found, block.verify());
            }
            return found;
        }

        void release() {
            blocks.forEach(Kept::release);
            if (file != null) {
                file.delete();
            }
        }
    }

    /// A block of a closed arena. It refers to no class of the user.
    ///
    /// @param site   where the block was allocated
    /// @param frames the stack of the allocation
    private record Kept(long number, BlockPlace place, String site, List<StackTraceElement> frames,
            Cleaner.Cleanable memory) {
        static Kept of(DebugBlock block) {
            BlockSite site = block.allocated.trimmed();
            BlockPlace place = block.place;
            return new Kept(block.number, place, Objects.requireNonNull(site.getMessage()),
                    List.of(site.getStackTrace()),
                    Unloading.CLEANER.register(Unloading.LOADED,
                            PageMappings.releaseOfReserved(place.memory(), place.reservedByteSize())));
        }

        @Nullable
        Throwable verify() {
            if (!place.enable()) {
                return null;
            }
            try {
                Throwable found = DebugBlock.verifyClosed(number, place, new BlockSite(site, frames));
                if (found != null) {
                    place.fillFreed();
                }
                return found;
            } finally {
                place.disable();
            }
        }

        void release() {
            memory.clean();
            PageMappings.releasedReserved();
        }
    }

    /// Takes over the memory and the file of a closed arena. Checks and releases arenas beyond the limit.
    ///
    /// @param blocks      blocks with guards
    /// @param maxByteSize the limit on the addresses of all arenas, in bytes
    static void add(Collection<DebugBlock> blocks, @Nullable BlockFile file, long maxByteSize) {
        List<Kept> kept = new ArrayList<>(blocks.size());
        long byteSize = 0;
        for (DebugBlock block : blocks) {
            block.place.fillFreed();
            if (block.place.disable()) {
                kept.add(Kept.of(block));
                byteSize += block.place.reservedByteSize();
            } else {
                block.place.release();
            }
        }
        if (file != null) {
            file.deleteAtTheEnd();
        }
        for (Closed arena : replace(new Closed(kept, file, byteSize), maxByteSize)) {
            // Not under the lock: the logger belongs to the user.
            Throwable found = arena.verify();
            if (found != null) {
                Warnings.ofBlocks(found);
            }
            arena.release();
        }
    }

    /// Adds an arena, and removes the oldest arenas beyond the limit.
    ///
    /// @return the removed arenas
    private static synchronized List<Closed> replace(Closed added, long maxByteSize) {
        List<Closed> removed = new ArrayList<>();
        ARENAS.add(added);
        // Added anew each time: after an Error, a sum in a field would be wrong for good.
        long byteSize = ARENAS.stream().mapToLong(Closed::byteSize).sum();
        long blocks = ARENAS.stream().mapToLong(arena -> arena.blocks.size()).sum();
        while (byteSize > maxByteSize || blocks > MOST_BLOCKS) {
            // First: an Error must not release an address twice.
            Closed oldest = ARENAS.remove();
            byteSize -= oldest.byteSize;
            blocks -= oldest.blocks.size();
            removed.add(oldest);
        }
        return removed;
    }

    /// Checks all blocks, and throws if some were overwritten.
    static void check() {
        Throwable found = null;
        synchronized (Quarantine.class) {
            for (Closed arena : ARENAS) {
                found = DebugBlocks.merge(found, arena.verify());
            }
        }
        DebugBlocks.report(found);
    }

    /// The number at which a block file begins to look for a free name: the files of the quarantine have earlier ones.
    static synchronized long nextFile() {
        return ++files;
    }
}
