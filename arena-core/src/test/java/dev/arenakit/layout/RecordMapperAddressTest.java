package dev.arenakit.layout;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@SuppressWarnings("ArrayRecordComponent") // Mapped records may contain arrays.
class RecordMapperAddressTest {
    record Node(int value, @TargetByteSize(16) MemorySegment next,
            @Length(2) @TargetByteSize(8) MemorySegment[] others) {}

    @Members({"value", "next", "others"})
    interface NodeView {
        int value();

        @TargetByteSize(16)
        MemorySegment next();

        void next(MemorySegment next);

        @Length(2)
        @TargetByteSize(8)
        MemorySegment others(long index);
    }

    @Test
    void get_addressZeroWithATarget_isASegmentOfSize0() {
        try (Arena arena = Arena.ofConfined()) {
            Node node = RecordMapper.of(Node.class).getAtIndex(arena.allocate(64, 8), 0);

            assertThat(node.next()).isEqualTo(MemorySegment.NULL);
            assertThat(node.others()).containsOnly(MemorySegment.NULL);
        }
    }

    @Test
    void view_addressZeroWithATarget_isASegmentOfSize0() {
        try (Arena arena = Arena.ofConfined()) {
            NodeView node = ViewMapper.of(NodeView.class).viewAtIndex(arena.allocate(64, 8), 0);

            assertThat(node.next().byteSize()).isZero();
            assertThat(node.others(1).byteSize()).isZero();
        }
    }

    @Test
    void get_otherAddressWithATarget_hasItsSize() {
        RecordMapper<Node> mapper = RecordMapper.of(Node.class);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment target = arena.allocate(16, 8);
            target.set(ValueLayout.JAVA_INT, 12, 7);
            MemorySegment segment = mapper.allocate(arena, 1);

            mapper.setAtIndex(segment, 0, new Node(1, target, new MemorySegment[]{target, MemorySegment.NULL}));

            Node node = mapper.getAtIndex(segment, 0);
            assertThat(node.next().byteSize()).isEqualTo(16);
            assertThat(node.next().get(ValueLayout.JAVA_INT, 12)).isEqualTo(7);
            assertThat(node.others()[0].byteSize()).isEqualTo(8);
            assertThat(node.others()[1].byteSize()).isZero();
            assertThat(ViewMapper.of(NodeView.class).viewAtIndex(segment, 0).next().byteSize()).isEqualTo(16);
        }
    }
}
