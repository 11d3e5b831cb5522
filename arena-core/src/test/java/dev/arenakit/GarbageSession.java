package dev.arenakit;

import com.sun.management.ThreadMXBean;
import dev.arenakit.diagnostics.LeakDetection;
import dev.arenakit.layout.ColumnMapper;
import dev.arenakit.layout.ColumnTable;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.Ref;
import dev.arenakit.layout.ViewMapper;
import dev.arenakit.layout.annotation.Members;
import dev.arenakit.layout.type.ColumnTableFormat;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.function.LongSupplier;

/// Sessions that should create no garbage, and the main class that measures the garbage of one of them.
///
/// Each session opens, loops and closes in one method: if the arena were passed to a helper, its objects would escape
/// whenever the compiler calls the helper instead of inlining it.
@SuppressWarnings("ImmutableEnumChecker") // the sessions capture nothing
enum GarbageSession {
    MALLOC_10x32(() -> {
        try (MallocArena arena = MallocArena.ofConfined()) {
            long sum = 0;
            for (int i = 0; i < 10; i++) {
                sum += use(arena);
            }
            return sum;
        }
    }), SLAB_10x32(() -> {
        try (SlabArena arena = Pools.UNBOUNDED.openConfined()) {
            long sum = 0;
            for (int i = 0; i < 10; i++) {
                sum += use(arena);
            }
            return sum;
        }
    }), SLAB_WAITING_10x32(() -> {
        try (SlabArena arena = Pools.WAITING.openConfined()) {
            long sum = 0;
            for (int i = 0; i < 10; i++) {
                sum += use(arena);
            }
            return sum;
        }
    }), SLAB_SAMPLED_10x32(() -> {
        try (SlabArena arena = Pools.SAMPLED.openConfined()) {
            long sum = 0;
            for (int i = 0; i < 10; i++) {
                sum += use(arena);
            }
            return sum;
        }
    }), RECORD_10x32(() -> {
        long sum = 0;
        for (int i = 0; i < 10; i++) {
            Records.mapper.setAtIndex(Records.SEGMENT, i, new Records.Order(i, 2, 3, 4));
            sum += Records.mapper.getAtIndex(Records.SEGMENT, i).id()
                    + Records.mapper.getAtIndex(Records.SEGMENT, i).quantity();
        }
        return sum;
    }), COLUMNS_10x32(() -> {
        long sum = 0;
        ColumnTableFormat.publish(Columns.table.segment(), 0);
        for (int i = 0; i < 10; i++) {
            Columns.table.append(new Columns.Trade(i, 1, 2, 3, 4, 5));
            Columns.Trade read = Columns.table.get(i);
            sum += read.id() + read.quantity();
        }
        return sum;
    }), REFERENCES(() -> {
        long sum = 0;
        for (long i = 0; i < 9; i++) {
            Chain.NODES.setAtIndex(Chain.MEMORY, i, new Chain.Node(i, Chain.NODES.refAtIndex(i + 1)));
            sum += Chain.NODES.getAtIndex(Chain.MEMORY, i).next().follow(Chain.MEMORY).value();
        }
        for (long at = 0; at >= 0;) {
            Chain.Node node = Chain.NODES.get(Chain.MEMORY, at);
            sum += node.value();
            at = node.next().offsetIn(Chain.MEMORY);
        }
        for (long at = 0; at >= 0;) {
            Chain.NodeView node = Chain.VIEWS.view(Chain.MEMORY, at);
            sum += node.value();
            at = node.next().offsetIn(Chain.MEMORY);
        }
        return sum;
    });

    static final int SESSIONS = 100_000;

    /// The largest number of rounds. On a busy machine, it may take many rounds until everything is compiled.
    private static final int ROUNDS = 50;

    private final LongSupplier session;

    GarbageSession(LongSupplier session) {
        this.session = session;
    }

    /// The pools of the sessions that need one.
    private static final class Pools {
        static final SlabPool UNBOUNDED = SlabPool.create();
        static final SlabPool WAITING = SlabPool.builder()
                .maxByteSize(1 << 20)
                .openTimeout(Duration.ofSeconds(1))
                .build();
        static final SlabPool SAMPLED = SlabPool.builder().leakDetection(LeakDetection.SAMPLED).build();
    }

    private static final class Records {
        record Order(long id, int quantity, double price, long time) {}

        /// Not final, because a mapper need not be a constant to be fast.
        static RecordMapper<Order> mapper = RecordMapper.of(Order.class);
        static final MemorySegment SEGMENT = mapper.allocate(Arena.ofAuto(), 10);
    }

    private static final class Columns {
        /// Not final, because a table need not be a constant to be fast.
        static ColumnTable<Trade> table = filled();

        record Trade(long id, int quantity, double price, long time, long buyer, long seller) {}

        private static ColumnTable<Trade> filled() {
            ColumnMapper<Trade> mapper = ColumnMapper.of(Trade.class);
            ColumnTable<Trade> filled = mapper.create(Arena.ofAuto(), 10);
            for (int i = 0; i < 10; i++) {
                filled.append(new Trade(i, 1, 2, 3, 4, 5));
            }
            return mapper.columns(filled.segment());
        }
    }

    private static final class Chain {
        record Node(long value, Ref<Node> next) {}

        @Members({"value", "next"})
        interface NodeView {
            long value();

            Ref<NodeView> next();
        }

        static final RecordMapper<Node> NODES = RecordMapper.of(Node.class);
        static final ViewMapper<NodeView> VIEWS = ViewMapper.of(NodeView.class);
        static final MemorySegment MEMORY = NODES.allocateZeroed(Arena.ofAuto(), 10);
    }

    private static long use(Arena arena) {
        MemorySegment segment = arena.allocate(32, 8);
        segment.set(ValueLayout.JAVA_LONG, 0, 1);
        return segment.get(ValueLayout.JAVA_LONG, 0);
    }

    /// The garbage in bytes that is allowed for each session. A sampled arena takes a kilobyte, and an arena that is an
    /// object on the heap takes 185 bytes.
    int mostBytes() {
        return this == SLAB_SAMPLED_10x32 ? 24 : 1;
    }

    /// Prints the garbage of one round in bytes: of the first round with as little as allowed, or else of the last
    /// round.
    ///
    /// @param args the name of the session
    public static void main(String[] args) {
        GarbageSession chosen = valueOf(args[0]);
        LongSupplier session = chosen.session;
        long most = (long) chosen.mostBytes() * SESSIONS;
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long bytes = Long.MAX_VALUE;
        long sum = 0;
        for (int round = 0; round < ROUNDS && bytes >= most; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < SESSIONS; i++) {
                sum += session.getAsLong();
            }
            bytes = threads.getCurrentThreadAllocatedBytes() - before;
        }
        if (sum <= 0) {
            throw new AssertionError("A session has lost what it wrote");
        }
        System.out.println(bytes);
    }
}
