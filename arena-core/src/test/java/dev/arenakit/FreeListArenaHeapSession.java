package dev.arenakit;

/// Opens arenas of a pool in heaps that have no memory for all of their objects.
final class FreeListArenaHeapSession {
    public static void main(String[] args) {
        try (SlabPool pool = SlabPool.builder().slabByteSize(4096).build()) {
            // Initializes the classes.
            open(pool).close();
            int errors = 0;
            int opened = 0;
            // Something else may give memory back to the first heap.
            for (int room = 0; opened < 3; room++) {
                if (isOpened(pool, room)) {
                    opened++;
                } else {
                    errors++;
                }
                SlabPoolStatistics stats = pool.stats();
                if (stats.usedByteSize() != 0 || stats.openArenas() != 0) {
                    throw new AssertionError("Lost: room=" + room + ", " + stats);
                }
            }
            if (errors < 10) {
                throw new AssertionError("The heap is not small enough: " + errors);
            }
        }
        System.out.println("nothing lost");
    }

    private static FreeListArena open(SlabPool pool) {
        return FreeListArena.builder().pool(pool).shared().build();
    }

    private static boolean isOpened(SlabPool pool, int room) {
        FreeListArena[] opened = new FreeListArena[1];
        try {
            ErrorSession.FullHeap.run(room, () -> opened[0] = open(pool));
        } catch (OutOfMemoryError e) {
            return false;
        }
        opened[0].close();
        return true;
    }
}
