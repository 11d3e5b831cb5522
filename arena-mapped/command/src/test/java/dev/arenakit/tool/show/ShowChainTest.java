package dev.arenakit.tool.show;

import dev.arenakit.layout.ColumnMapper;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.Ref;
import dev.arenakit.layout.Ref32;
import dev.arenakit.layout.annotation.In;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.tool.InSharedMemory;
import dev.arenakit.tool.ToolRun;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class ShowChainTest extends InSharedMemory {
    record Node(int value, @In("nodes") Ref32<Node> next) {}

    record Head(@In("nodes") Ref<Node> next, Ref<Head> other) {}

    record Lost(@In("gone") Ref<Node> next) {}

    private static final RecordMapper<Lost> LOST = RecordMapper.of(Lost.class);
    private static final RecordMapper<Node> NODES = RecordMapper.of(Node.class);
    private static final RecordMapper<Head> HEADS = RecordMapper.of(Head.class);

    /// Writes the chain head, nodes[3], nodes[1], nodes[2], whose last reference is the given number.
    private void write(int last) {
        try (InfiniteArena arena = InfiniteArena.builder(base).build()) {
            MemorySegment nodes = arena.names().allocate("nodes", NODES.type(), 4);
            MemorySegment head = arena.names().allocate("head", HEADS.type(), 1);
            HEADS.set(head, new Head(NODES.refAtIndex(3), HEADS.ref(16)));
            NODES.setAtIndex(nodes, 3, new Node(30, NODES.refAtIndex(1)));
            NODES.setAtIndex(nodes, 1, new Node(10, NODES.refAtIndex(2)));
            NODES.setAtIndex(nodes, 2, new Node(20, Ref.none()));
            nodes.set(ValueLayout.JAVA_INT, 2 * 8 + 4, last);
        }
    }

    private static final String CHAIN = """
            ==> head: Head <==
            [0] Head { next = -> nodes[3], other = -> [1] (out of bounds) }

            ==> nodes: Node[4] <==
            [3] Node { value = 30, next = -> nodes[1] }
            [1] Node { value = 10, next = -> nodes[2] }
            """;

    @Test
    void show_follow_printsTheChain() {
        write(0);
        assertThat(show("head", "--follow", "next").succeeds().out())
                .isEqualTo(CHAIN + "[2] Node { value = 20, next = none }\n");
        assertThat(show("nodes[1]", "--follow", "next", "--json").succeeds().out()).isEqualTo("""
                {"allocation":"nodes","index":1,"value":{"value":10,"next":"nodes[2]"}}
                {"allocation":"nodes","index":2,"value":{"value":20,"next":"none"}}
                """);
        assertThat(show("head", "--follow", "next", "--skip", "2", "--limit", "1").succeeds().out()).isEqualTo("""
                ==> nodes: Node[4] <==
                [1] Node { value = 10, next = -> nodes[2] }
                """);
    }

    @ParameterizedTest
    @CsvSource({
            // The numbers are offsets in units of 4 bytes, plus 1.
            "3, nodes[1], 'nodes[2].next goes back to [1]: the chain has a cycle of 2, which begins after 2'",
            "7, nodes[3], 'nodes[2].next goes back to [3]: the chain has a cycle of 3, which begins after 1'",
            "5, nodes[2], 'nodes[2].next goes back to [2]: the chain has a cycle of 1, which begins after 3'",
            "9, nodes[4] (out of bounds), 'nodes[2].next = -> nodes[4] (out of bounds)'",
            "2, nodes+0x4 (within [0]), 'nodes[2].next = -> nodes+0x4 (within [0])'"})
    void show_followOfAChainThatIsWrong_endsAndSaysWhy(int last, String target, String problem) {
        write(last);
        ToolRun run = show("head", "--follow", "next").exits(1);
        assertThat(run.out()).isEqualTo(CHAIN + "[2] Node { value = 20, next = -> " + target + " }\n");
        assertThat(run.err()).isEqualTo("arena: nodes: " + problem + "\n");
    }

    @Test
    void show_followWithoutAReference_isReported() {
        write(0);
        assertThat(show("head", "--follow", "value").exits(1).err())
                .isEqualTo("arena: head: it has no structs of the type with a reference value\n");
        assertThat(show("head", "--follow", "other").exits(1).err())
                .isEqualTo("arena: head: head[0].other = -> [1] (out of bounds)\n");
        assertThat(show("nodes[4]", "--follow", "next").exits(1).err())
                .isEqualTo("arena: nodes: there is no [4]: it has 4 structs\n");
        assertThat(show("--follow", "next").exits(2).err()).contains("'--follow' needs one NAME");
    }

    @Test
    void show_followOfATableOrToNoAllocation_isReported() {
        try (InfiniteArena arena = InfiniteArena.builder(base).build()) {
            arena.structures().columns("table", ColumnMapper.of(Node.class), 1).append(new Node(1, Ref.none()));
            LOST.set(arena.names().allocate("lost", LOST.type(), 1), new Lost(NODES.refAtIndex(1)));
        }
        assertThat(show("table", "--follow", "next").exits(1).err())
                .isEqualTo("arena: table: it has entries, and a chain consists of structs in an array\n");
        assertThat(show("lost", "--follow", "next").exits(1).err())
                .isEqualTo("arena: lost: lost[0].next = -> gone[1] (out of bounds): there is no such allocation\n");
    }

    private ToolRun show(String... args) {
        return onBase("show", args);
    }
}
