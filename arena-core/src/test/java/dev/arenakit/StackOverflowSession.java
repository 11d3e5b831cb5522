package dev.arenakit;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Uses arenas at each depth of the stack at which it may overflow, in a JVM with a small stack and without compilers.
///
/// After each overflow, a check with enough stack shows that the pool hands out no memory twice, and that its memory is
/// zeroed. A block that is freed twice terminates the JVM.
final class StackOverflowSession {
    /// A frame of the recursion takes less stack than most calls, so that not every depth is needed.
    private static final int STEP = 2;
    private static final long SLAB = 4096;

    private static final SlabPool POOL = SlabPool.builder().slabByteSize(SLAB).build();

    /// Arenas whose close has not succeeded.
    private final List<Arena> open = new ArrayList<>();
    private boolean overflowed;
    /// Checks the state after an overflow, with enough stack.
    private Runnable afterOverflow = () -> {};

    private StackOverflowSession() {}

    /// Prepares a step with enough stack, and returns it.
    private interface Work {
        Runnable prepare(StackOverflowSession session);
    }

    public static void main(String[] args) {
        Map<String, Work> works = works();
        // Everything is initialized before the first overflow: a class whose initializer fails stays unusable.
        works.values().forEach(work -> {
            StackOverflowSession session = new StackOverflowSession();
            work.prepare(session).run();
            session.closeAll();
        });
        checkPool();
        int deepest = deepest();
        works.forEach((name, work) -> {
            int overflows = 0;
            int calm = 0;
            // Up to where nothing overflows any more.
            for (int depth = deepest; calm < 10; depth -= STEP) {
                StackOverflowSession session = new StackOverflowSession();
                session.at(depth, work.prepare(session));
                if (session.overflowed) {
                    session.afterOverflow.run();
                }
                session.closeAll();
                if (session.overflowed) {
                    overflows++;
                    calm = 0;
                    checkPool();
                } else {
                    calm++;
                }
            }
            if (overflows < 5) {
                throw new AssertionError("Not the right depths: " + name + ", overflows=" + overflows);
            }
        });
        System.out.println("nothing twice");
    }

    private static Map<String, Work> works() {
        Map<String, Work> works = new TreeMap<>();
        works.put("open a slab arena", session -> () -> session.open.add(POOL.openConfined()));
        works.put("allocate from a slab", session -> {
            SlabArena arena = session.slabs(POOL.openConfined());
            return () -> arena.allocate(1000, 8);
        });
        works.put("allocate a large block", session -> {
            SlabArena arena = session.slabs(POOL.openConfined());
            return () -> arena.allocate(5000, 8);
        });
        works.put("close a slab arena", session -> session.slabs(POOL.openConfined())::close);
        works.put("close a shared slab arena", session -> session.slabs(POOL.openShared())::close);
        works.put("push a frame", session -> session.slabs(POOL.openConfined())::pushFrame);
        works.put("pop a frame", session -> {
            SlabArena arena = session.slabs(POOL.openConfined());
            return session.fill(arena.pushFrame())::close;
        });
        works.put("pop a frame of many slabs", session -> {
            SlabArena arena = session.slabs(POOL.openConfined());
            SlabArena frame = arena.pushFrame();
            // More than have a slot in the cache: it takes less stack to release the others.
            for (int i = 0; i < 80; i++) {
                frame.allocate(1000, 8);
            }
            return frame::close;
        });
        works.put("trim", _ -> POOL::trim);
        for (boolean shared : new boolean[]{false, true}) {
            for (boolean checked : new boolean[]{false, true}) {
                String kind = " (" + (shared ? "shared" : "confined") + (checked ? ", checked)" : ")");
                works.put("close" + kind, session -> session.blocks(shared, checked)::close);
                works.put("free" + kind, session -> {
                    MallocArena arena = session.blocks(shared, checked);
                    MemorySegment segment = arena.allocate(100);
                    return () -> arena.free(segment);
                });
                works.put("reallocate" + kind, session -> session.reallocation(shared, checked, 100));
                works.put("reallocate a large block" + kind,
                        session -> session.reallocation(shared, checked, 200_000));
            }
        }
        return works;
    }

    /// The block is unchanged if this fails.
    private Runnable reallocation(boolean shared, boolean checked, long byteSize) {
        MallocArena arena = blocks(shared, checked);
        MemorySegment segment = arena.allocate(byteSize);
        segment.fill((byte) 7);
        afterOverflow = () -> {
            MemorySegment shorter = arena.reallocate(segment, 50);
            if (shorter.get(ValueLayout.JAVA_BYTE, 0) != 7 || shorter.get(ValueLayout.JAVA_BYTE, 49) != 7) {
                throw new AssertionError("The block has changed");
            }
        };
        return () -> arena.reallocate(segment, 2 * byteSize);
    }

    private SlabArena slabs(SlabArena arena) {
        open.add(arena);
        return fill(arena);
    }

    /// Allocates from several slabs, and two large blocks.
    private SlabArena fill(SlabArena arena) {
        for (int i = 0; i < 10; i++) {
            arena.allocate(1000, 8).fill((byte) 1);
        }
        arena.allocate(2000, 8).fill((byte) 1);
        arena.allocate(5000, 8).fill((byte) 1);
        return arena;
    }

    private MallocArena blocks(boolean shared, boolean checked) {
        MallocArena.Builder builder = MallocArena.builder();
        if (shared) {
            builder.shared();
        }
        if (checked) {
            builder.checked();
        }
        MallocArena arena = builder.build();
        open.add(arena);
        for (int i = 0; i < 10; i++) {
            arena.allocate(100, i % 5 == 0 ? 64 : 8);
        }
        arena.free(arena.allocate(8));
        arena.allocate(8);
        return arena;
    }

    /// Closes the arenas that can be closed.
    private void closeAll() {
        for (Arena arena : open) {
            try {
                arena.close();
            } catch (IllegalStateException _) {
                // It is closed already, or has a frame that is still open.
            }
        }
    }

    private void at(int depth, Runnable work) {
        try {
            descend(depth, work);
        } catch (StackOverflowError e) {
            overflowed = true;
        }
    }

    private static void descend(int depth, Runnable work) {
        if (depth > 0) {
            descend(depth - 1, work);
        } else {
            work.run();
        }
    }

    private static int deepest() {
        int low = 0;
        int high = 1_000_000;
        while (high - low > 1) {
            int middle = (low + high) / 2;
            StackOverflowSession session = new StackOverflowSession();
            session.at(middle, () -> {});
            if (session.overflowed) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return low;
    }

    /// Opens some arenas at once: no two have the same memory, and all memory is zeroed.
    private static void checkPool() {
        List<SlabArena> arenas = new ArrayList<>();
        List<MemorySegment> segments = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            SlabArena arena = i % 4 == 3 ? POOL.openShared() : POOL.openConfined();
            arenas.add(arena);
            for (int j = 0; j < 5; j++) {
                MemorySegment segment = arena.allocate(1000, 8);
                // The ends suffice, and reading all of it takes long without compilers.
                for (long at : new long[]{0, 496, 992}) {
                    if (segment.get(ValueLayout.JAVA_LONG, at) != 0) {
                        throw new AssertionError("Memory is not zeroed, or in use twice");
                    }
                }
                segment.fill((byte) (i + 1));
                segments.add(segment);
            }
        }
        for (int i = 0; i < segments.size(); i++) {
            if (segments.get(i).get(ValueLayout.JAVA_BYTE, 999) != i / 5 + 1) {
                throw new AssertionError("Memory is in use twice");
            }
        }
        arenas.forEach(SlabArena::close);
    }
}
