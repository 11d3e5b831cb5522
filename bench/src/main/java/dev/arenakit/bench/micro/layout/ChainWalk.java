package dev.arenakit.bench.micro.layout;

import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.Ref;
import dev.arenakit.layout.ViewMapper;
import dev.arenakit.layout.annotation.Members;
import dev.arenakit.layout.annotation.Name;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// Measures the cost of walking a chain of 1,024 structs of 16 bytes in a random order, which fit into a core's cache.
///
/// The figure is for one struct.
@BenchmarkName(value = "chain walk", baseline = "VarHandles",
        measures = "Walks a chain of 1,024 structs in a random order; the figure is for one struct.")
@OperationsPerInvocation(ChainWalk.COUNT)
public class ChainWalk extends MicroBenchmark {
    static final int COUNT = 1024;
    private static final RecordMapper<Node> NODES = RecordMapper.of(Node.class);
    private static final ViewMapper<NodeView> VIEWS = ViewMapper.of(NodeView.class);
    private static final VarHandle VALUE = NODES.field("value").varHandle();
    private static final VarHandle NEXT = NODES.field("next").varHandle();

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment nodes = NODES.allocate(arena, COUNT);
    private Ref<Node> head = Ref.none();
    private Ref<NodeView> headView = Ref.none();

    record Node(long value, Ref<Node> next) {}

    /// The same struct as a view.
    @Name("Node")
    @Members({"value", "next"})
    interface NodeView {
        long value();

        Ref<NodeView> next();
    }

    /// Links the structs.
    @Setup
    public void prepare() {
        List<Integer> order = IntStream.range(0, COUNT).boxed().collect(Collectors.toList());
        Collections.shuffle(order, new Random(1));
        for (int index : order) {
            NODES.setAtIndex(nodes, index, new Node(index, head));
            head = NODES.refAtIndex(index);
        }
        headView = VIEWS.ref(head.byteOffset());
    }

    /// Frees the memory.
    @TearDown
    public void close() {
        arena.close();
    }

    /// Offsets by hand, with VarHandles in `static final` fields.
    @Benchmark
    @CandidateName("VarHandles")
    public long handles() {
        long sum = 0;
        for (long at = head.byteOffset(); at >= 0; at = (long) NEXT.get(nodes, at) - 1) {
            sum += (long) VALUE.get(nodes, at);
        }
        return sum;
    }

    /// A loop whose variable is a reference.
    @Benchmark
    @CandidateName("references to records")
    public long references() {
        long sum = 0;
        for (Ref<Node> at = head; !at.isNone();) {
            Node node = at.follow(nodes);
            sum += node.value();
            at = node.next();
        }
        return sum;
    }

    /// A loop over offsets, which references check.
    @Benchmark
    @CandidateName("offsets of references to records")
    public long offsets() {
        long sum = 0;
        for (long at = head.offsetIn(nodes); at >= 0;) {
            Node node = NODES.get(nodes, at);
            sum += node.value();
            at = node.next().offsetIn(nodes);
        }
        return sum;
    }

    /// A loop whose variable is a reference to a view.
    @Benchmark
    @CandidateName("references to views")
    public long viewReferences() {
        long sum = 0;
        for (Ref<NodeView> at = headView; !at.isNone();) {
            NodeView node = at.follow(nodes);
            sum += node.value();
            at = node.next();
        }
        return sum;
    }

    /// A loop over offsets, which references to views check.
    @Benchmark
    @CandidateName("offsets of references to views")
    public long viewOffsets() {
        long sum = 0;
        for (long at = headView.offsetIn(nodes); at >= 0;) {
            NodeView node = VIEWS.view(nodes, at);
            sum += node.value();
            at = node.next().offsetIn(nodes);
        }
        return sum;
    }
}
