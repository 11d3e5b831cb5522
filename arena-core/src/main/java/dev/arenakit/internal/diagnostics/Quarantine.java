package dev.arenakit.internal.diagnostics;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// The blocks of closed debug arenas whose addresses stay reserved: an access of native code that has kept an address
/// terminates the process, instead of reading the memory of somebody else.
///
/// It belongs to the process, because a reserved address outlives its arena. The arena that was closed first leaves
/// first. Thread-safe.
final class Quarantine {
    /// Each block takes a mapping of the 65,530 of a process, unless the kernel merges it with its neighbours.
    private static final int MOST_BLOCKS = 5_000;

    private static final Queue<Closed> ARENAS = new ArrayDeque<>();
    private static long files;
    private static boolean hasHook;
    private static boolean hasEnded;

    private Quarantine() {}

    /// A closed arena.
    private record Closed(List<BlockPlace> places, @Nullable BlockFile file, long byteSize) {
        void release() {
            places.forEach(BlockPlace::release);
            deleteFile();
        }

        void deleteFile() {
            if (file != null) {
                file.delete();
            }
        }
    }

    /// Takes over the memory and the file of a closed arena, and releases arenas beyond the limit.
    ///
    /// @param places      blocks with guards, in which nothing is accessible any more
    /// @param maxByteSize the limit on the addresses of all arenas, in bytes
    static synchronized void add(List<BlockPlace> places, @Nullable BlockFile file, long maxByteSize) {
        Closed closed = new Closed(places, file, places.stream().mapToLong(BlockPlace::reservedByteSize).sum());
        deleteFilesAtTheEnd();
        ARENAS.add(closed);
        if (hasEnded) {
            closed.deleteFile();
        }
        // Added anew each time: after an Error, a sum in a field would be wrong for good.
        long byteSize = ARENAS.stream().mapToLong(Closed::byteSize).sum();
        long blocks = ARENAS.stream().mapToLong(arena -> arena.places.size()).sum();
        while (byteSize > maxByteSize || blocks > MOST_BLOCKS) {
            // First: an Error must not release an address twice.
            Closed oldest = ARENAS.remove();
            byteSize -= oldest.byteSize;
            blocks -= oldest.places.size();
            oldest.release();
        }
    }

    /// The number at which a block file begins to look for a free name: the files of the quarantine have earlier ones.
    static synchronized long nextFile() {
        return ++files;
    }

    /// Deletes the files when the process ends well. If it is terminated by an access, the hook does not run. The hook
    /// keeps the class loader of this library.
    private static void deleteFilesAtTheEnd() {
        if (hasHook) {
            return;
        }
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(Quarantine::end, "arenakit-quarantine"));
        } catch (IllegalStateException e) {
            // The process is ending.
            hasEnded = true;
        }
        hasHook = true;
    }

    private static synchronized void end() {
        hasEnded = true;
        ARENAS.forEach(Closed::deleteFile);
    }
}
