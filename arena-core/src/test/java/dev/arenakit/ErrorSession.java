package dev.arenakit;

import dev.arenakit.diagnostics.LeakDetection;
import dev.arenakit.diagnostics.LeakDetector;
import dev.arenakit.diagnostics.MemoryBudget;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// The main class of [ErrorTest]: it uses each arena and allocator while the stack or the heap is exhausted.
///
/// After each error, a check with enough stack and heap shows that live blocks have kept their bytes, that no other
/// arena has got their memory, and that the object works or throws an `IllegalStateException`. A block that is freed
/// twice terminates the JVM.
final class ErrorSession {
    private static final long SLAB = 4096;
    private static final long SMALL = 1_000;
    private static final long LARGE = 100_000;
    private static final NativeAllocator LIBC = NativeAllocator.libc();

    /// The seed of the next session. Compiled code fails in the middle of a change when it takes a branch that it has
    /// not taken before, so that no two sessions have the same blocks.
    private static long rounds;

    private static final ExecutorService OTHER = Executors
            .newSingleThreadExecutor(Thread.ofPlatform().daemon().factory());

    private final Kind kind;
    private final Work work;
    private final SlabPool pool;
    private final MemoryBudget budget = MemoryBudget.root("pool", Long.MAX_VALUE);
    private @Nullable Memory memory;
    private final List<MemorySegment> live = new ArrayList<>();
    /// Blocks to be adopted. Blocks that the arena has not adopted after an error are lost.
    private final List<MemorySegment> given = new ArrayList<>();
    /// The arenas that earlier sessions have lost.
    private final int watched;
    private final Random random = new Random(++rounds);
    private boolean failed;
    private @Nullable SlabParcel parcel;
    /// An arena whose slab is between the slabs of the first arena.
    private @Nullable SlabArena neighbour;

    private ErrorSession(Kind kind, Work work) {
        this.kind = kind;
        this.work = work;
        SlabPool.Builder builder = SlabPool.builder().slabByteSize(SLAB).budget(budget);
        pool = (switch (kind) {
            case SLAB_GROUPED -> builder.groupedClose(1);
            case SLAB_WATCHED -> builder.leakDetection(LeakDetection.ALL.listener(_ -> {}));
            default -> builder;
        }).build();
        watched = LeakDetector.open().size();
    }

    /// An arena, or an allocator with the arena of its segment.
    ///
    /// @param arena  ends the scope
    /// @param parent the arena that a frame belongs to, or null
    private record Memory(SegmentAllocator allocator, @Nullable BlockAllocator blocks, Arena arena,
            @Nullable Arena parent) {
        static Memory of(Arena arena) {
            return new Memory(arena, arena instanceof BlockAllocator blocks ? blocks : null, arena, null);
        }

        static Memory of(boolean shared) {
            Arena arena = shared ? Arena.ofShared() : Arena.ofConfined();
            MemorySegment memory = arena.allocate(1 << 20, 1 << 16);
            OffsetAllocator allocator = shared ? OffsetAllocator.overShared(memory) : OffsetAllocator.over(memory);
            return new Memory(allocator, allocator, arena, null);
        }

        static Memory frameOf(SlabArena parent) {
            SlabArena frame = parent.pushFrame();
            return new Memory(frame, null, frame, parent);
        }
    }

    enum Kind {
        SLAB, SLAB_SHARED, SLAB_GROUPED, SLAB_WATCHED, FRAME, MALLOC, MALLOC_SHARED, CHECKED, CHECKED_SHARED, LISTS, LISTS_SHARED, OFFSET, OFFSET_SHARED;

        private Memory open(SlabPool pool) {
            return switch (this) {
                case SLAB, SLAB_WATCHED -> Memory.of(pool.openConfined());
                case SLAB_SHARED, SLAB_GROUPED -> Memory.of(pool.openShared());
                case FRAME -> Memory.frameOf(pool.openConfined());
                case MALLOC -> Memory.of(MallocArena.ofConfined());
                case MALLOC_SHARED -> Memory.of(MallocArena.ofShared());
                case CHECKED -> Memory.of(MallocArena.builder().checked().build());
                case CHECKED_SHARED -> Memory.of(MallocArena.builder().checked().shared().build());
                case LISTS -> Memory.of(FreeListArena.builder().pool(pool).build());
                case LISTS_SHARED -> Memory.of(FreeListArena.builder().pool(pool).shared().build());
                case OFFSET -> Memory.of(false);
                case OFFSET_SHARED -> Memory.of(true);
            };
        }

        boolean isOverMalloc() {
            return compareTo(MALLOC) >= 0 && compareTo(CHECKED_SHARED) <= 0;
        }

        boolean hasBlocks() {
            return compareTo(MALLOC) >= 0;
        }
    }

    /// What is done near the end of the stack or of the heap.
    private enum Work {
        OPEN, ALLOCATE, ALLOCATE_SLAB, ALLOCATE_LARGE, ALLOCATE_ALL, FREE_ALL, RESIZE, RESIZE_LARGE, ADOPT, RELEASE, CLOSE, CLOSE_SHORT, TRIM, DETACH, ATTACH, CLOSE_PARCEL, SHUTDOWN, CLOSE_POOL;

        boolean endsScope() {
            return this == CLOSE || this == CLOSE_SHORT || this == CLOSE_PARCEL || this == CLOSE_POOL;
        }

        boolean isPossible(Kind kind) {
            return switch (this) {
                case FREE_ALL, RESIZE, RESIZE_LARGE -> kind.hasBlocks();
                case ADOPT, RELEASE -> kind.isOverMalloc();
                case ALLOCATE_ALL -> kind == Kind.OFFSET || kind == Kind.OFFSET_SHARED;
                case TRIM, DETACH, ATTACH, CLOSE_PARCEL, SHUTDOWN, CLOSE_POOL ->
                    kind == Kind.SLAB || kind == Kind.SLAB_WATCHED;
                default -> true;
            };
        }
    }

    /// Runs everything.
    ///
    /// @param args `stack` or `heap`, the distance of two depths of the stack or the number of rounds, how often
    ///             code is run before, and the kinds
    public static void main(String[] args) {
        boolean stack = args[0].equals("stack");
        int number = Integer.parseInt(args[1]);
        int before = Integer.parseInt(args[2]);
        int errors = 0;
        for (String name : List.of(args).subList(3, args.length)) {
            Kind kind = Kind.valueOf(name);
            for (Work work : Work.values()) {
                if (work.isPossible(kind)) {
                    // Everything is initialized before the first error: a class whose initializer fails stays unusable.
                    for (int i = 0; i < before; i++) {
                        new ErrorSession(kind, work).run(Runnable::run);
                    }
                    errors += stack ? atDepths(kind, work, number) : inFullHeap(kind, work, number);
                }
            }
        }
        if (errors < args.length) {
            throw new AssertionError("Too few errors: " + errors);
        }
        System.out.println("nothing twice");
    }

    /// Fails at depths from the end of the stack up, to where nothing fails any more.
    private static int atDepths(Kind kind, Work work, int distance) {
        int errors = 0;
        int calm = 0;
        for (int depth = StackDepth.deepest(); calm * distance < 20 || calm < 2; depth -= distance) {
            int from = depth;
            boolean failed = new ErrorSession(kind, work).run(step -> StackDepth.descend(from, step));
            errors += failed ? 1 : 0;
            calm = failed ? 0 : calm + 1;
        }
        return errors;
    }

    private static int inFullHeap(Kind kind, Work work, int rounds) {
        int errors = 0;
        for (int room = 0; room < rounds; room++) {
            int left = room;
            errors += new ErrorSession(kind, work).run(step -> FullHeap.run(left, step)) ? 1 : 0;
        }
        return errors;
    }

    /// Runs the step and the check.
    ///
    /// @param how runs the step so that it may fail
    /// @return whether it has failed
    private boolean run(Consumer<Runnable> how) {
        if (work == Work.CLOSE_SHORT) {
            // A slab arena that has used little of one slab releases it in a shorter way.
            memory = kind.open(pool);
            add(memory.allocator.allocate(SMALL, 8));
        } else if (work != Work.OPEN) {
            memory = kind.open(pool);
            for (int i = random.nextInt(16); i >= 0; i--) {
                add(memory.allocator.allocate(SMALL, i % 5 == 0 ? 64 : 8));
            }
            add(memory.allocator.allocate(LARGE, 8));
            if (memory.blocks != null) {
                // Moves the blocks of an arena of malloc to its table.
                memory.blocks.free(memory.allocator.allocate(8));
            }
            if (work == Work.ADOPT) {
                for (int i = 0; i < 10; i++) {
                    given.add(MemorySegment.ofAddress(LIBC.allocate(SMALL, 8)));
                }
            }
            if (work == Work.ALLOCATE_ALL && kind == Kind.OFFSET_SHARED) {
                BlockAllocator blocks = blocks();
                inOtherThread(() -> useBlocks(blocks));
            }
        }
        if (work == Work.ATTACH || work == Work.CLOSE_PARCEL) {
            parcel = ((SlabArena) memory().arena).detach();
        }
        if (!kind.hasBlocks()) {
            neighbour = pool.openConfined();
            for (int i = 0; i < 4; i++) {
                add(neighbour.allocate(SMALL, 8));
            }
        }
        if (work == Work.CLOSE_POOL) {
            memory().arena.close();
            Objects.requireNonNull(neighbour).close();
        }
        if (work == Work.TRIM) {
            // The list of slabs has an idle slab, and then the idle slab of another thread.
            SlabArena first = pool.openShared();
            inOtherThread(() -> pool.openConfined().close());
            first.close();
        }
        try {
            how.accept(this::work);
        } catch (StackOverflowError e) {
            failed = true;
        } catch (OutOfMemoryError e) {
            if (String.valueOf(e.getMessage()).startsWith("Native")) {
                throw e;
            }
            failed = true;
        } catch (IllegalStateException e) {
            // The structure was interrupted, and cannot free what this step has allocated.
            if (!String.valueOf(e.getMessage()).contains("interrupted")) {
                throw e;
            }
            failed = true;
        }
        check();
        return failed;
    }

    private void work() {
        switch (work) {
            case OPEN -> memory = kind.open(pool);
            case ALLOCATE -> memory().allocator.allocate(3 * SMALL, 8);
            case ALLOCATE_SLAB -> {
                for (int i = 0; i < 5; i++) {
                    memory().allocator.allocate(SMALL, 8);
                }
            }
            case ALLOCATE_LARGE -> memory().allocator.allocate(LARGE, 8);
            case ALLOCATE_ALL -> allocateAll();
            case FREE_ALL -> {
                while (!live.isEmpty()) {
                    blocks().free(removeAny());
                }
            }
            case RESIZE -> blocks().reallocate(removeAny(), 3 * SMALL);
            case RESIZE_LARGE -> blocks().reallocate(live.removeLast(), 2 * LARGE);
            case ADOPT -> {
                for (MemorySegment block : given) {
                    malloc().adopt(block);
                }
            }
            case RELEASE -> {
                while (!live.isEmpty()) {
                    MemorySegment block = malloc().release(removeAny());
                    LIBC.free(block.address(), block.byteSize(), 1);
                }
            }
            case CLOSE, CLOSE_SHORT -> memory().arena.close();
            case TRIM -> pool.trim();
            case DETACH -> parcel = ((SlabArena) memory().arena).detach();
            case ATTACH -> attach();
            case CLOSE_PARCEL -> parcel().close();
            case SHUTDOWN -> pool.shutdown();
            case CLOSE_POOL -> pool.close();
        }
    }

    private SlabParcel parcel() {
        return Objects.requireNonNull(parcel);
    }

    /// Opens an arena over the parcel, in which the live blocks have their bytes.
    private void attach() {
        SlabParcel attached = parcel();
        memory = Memory.of(attached.attach());
        live.replaceAll(segment -> segment.scope().isAlive() ? segment : attached.segment(segment));
    }

    /// Leaves free blocks to the current thread, which lives on.
    private static void useBlocks(BlockAllocator blocks) {
        for (int i = 0; i < 5; i++) {
            blocks.free(blocks.allocate(20 * SMALL, 8));
        }
    }

    private static void inOtherThread(Runnable step) {
        try {
            OTHER.submit(step).get();
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    private void allocateAll() {
        try {
            while (true) {
                add(memory().allocator.allocate(20 * SMALL, 8));
            }
        } catch (CapacityExceededException e) {
            checkLive();
        }
    }

    private Memory memory() {
        return Objects.requireNonNull(memory);
    }

    private BlockAllocator blocks() {
        return Objects.requireNonNull(memory().blocks);
    }

    private MallocArena malloc() {
        return (MallocArena) memory().arena;
    }

    private MemorySegment removeAny() {
        return live.remove(random.nextInt(live.size()));
    }

    private void add(MemorySegment segment) {
        segment.fill(pattern(segment));
        live.add(segment);
    }

    private static byte pattern(MemorySegment segment) {
        return (byte) (segment.address() >>> 3 | 1);
    }

    private void check() {
        if (parcel != null) {
            if (work == Work.DETACH) {
                attach();
            } else {
                // This has no effect if the parcel is attached.
                parcel.close();
            }
        }
        usePool();
        if (work == Work.TRIM) {
            pool.trim();
            usePool();
        }
        if (memory != null) {
            if (work == Work.ALLOCATE_ALL) {
                // The rest of it.
                attempt(this::allocateAll);
                attempt(this::freeAll);
            }
            attempt(this::use);
            checkLive();
            attempt(this::freeAll);
            attempt(memory.arena::close);
            Arena parent = memory.parent;
            if (parent != null) {
                attempt(parent::close);
            }
            // A segment in use would have made the close fail.
            if (!failed && memory.arena.scope().isAlive()) {
                throw new AssertionError("Still open: " + kind + " " + work);
            }
            usePool();
        }
        if (neighbour != null && work != Work.CLOSE_POOL) {
            neighbour.close();
        }
        SlabPoolStatistics before = pool.stats();
        try {
            pool.close();
            // Nothing of this pool is left that could be reported.
            if (LeakDetector.open().size() > watched || budget.stats().openPools() > 0) {
                throw new AssertionError("Still watched: " + kind + " " + work + " " + LeakDetector.open());
            }
        } catch (IllegalStateException e) {
            if (!failed || before.usedByteSize() + before.idleByteSize() == 0) {
                throw new AssertionError("Pool of " + kind + " " + work + ": " + before, e);
            }
        }
    }

    /// Runs something that may be refused clearly after an error, and always if the arena is closed.
    private void attempt(Runnable step) {
        try {
            step.run();
        } catch (IllegalStateException e) {
            if (!failed && !work.endsScope()) {
                throw e;
            }
        }
    }

    /// Allocates blocks: no two have the same memory.
    private void use() {
        for (int i = 0; i < 5; i++) {
            add(memory().allocator.allocate(i % 2 == 0 ? SMALL : 3 * SMALL, 8));
        }
        add(memory().allocator.allocate(LARGE, 8));
    }

    private void freeAll() {
        BlockAllocator blocks = memory().blocks;
        if (blocks != null) {
            // An interrupted close of a checked arena has ended some blocks.
            live.removeIf(segment -> !segment.scope().isAlive());
            while (!live.isEmpty()) {
                blocks.free(live.removeLast());
            }
        }
    }

    /// Each live block has the bytes that were written to it.
    private void checkLive() {
        for (MemorySegment segment : live) {
            if (segment.scope().isAlive() && (segment.get(JAVA_BYTE, 0) != pattern(segment)
                    || segment.get(JAVA_BYTE, segment.byteSize() - 1) != pattern(segment))) {
                throw new AssertionError("Changed: " + kind + " " + work + " " + segment);
            }
        }
    }

    /// Opens another arena of the pool, whose memory is zeroed, and writes to it.
    private void usePool() {
        if (work == Work.SHUTDOWN || work == Work.CLOSE_POOL) {
            return;
        }
        try (SlabArena arena = pool.openConfined()) {
            for (int i = 0; i < 8; i++) {
                MemorySegment segment = arena.allocate(SMALL, 8);
                if (segment.get(JAVA_BYTE, 0) != 0 || segment.get(JAVA_BYTE, SMALL - 1) != 0) {
                    throw new AssertionError("Not zeroed, or in use: " + kind + " " + work + " " + segment);
                }
                segment.fill((byte) 0x5A);
            }
            checkLive();
        }
    }

    /// A heap with room for some small objects only.
    static final class FullHeap {
        private static final Object[] FILLING = new Object[1 << 16];

        private FullHeap() {}

        static void run(int room, Runnable step) {
            int filled = 0;
            for (int length = 1 << 18; length >= 1; length /= 64) {
                try {
                    while (filled < FILLING.length) {
                        FILLING[filled] = new byte[length];
                        filled++;
                    }
                } catch (OutOfMemoryError e) {
                    // A smaller array may fit.
                    Thread.onSpinWait();
                }
            }
            try {
                Arrays.fill(FILLING, Math.max(0, filled - 3 * room), filled, null);
                step.run();
            } finally {
                Arrays.fill(FILLING, null);
            }
        }
    }
}
