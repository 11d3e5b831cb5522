package dev.arenakit.layout;

import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.annotation.Members;
import dev.arenakit.layout.annotation.Name;
import dev.arenakit.layout.annotation.TargetByteSize;
import dev.arenakit.layout.annotation.TargetType;
import dev.arenakit.layout.annotation.Union;
import dev.arenakit.layout.annotation.Unsigned;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.ValueType;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@SuppressWarnings("ArrayRecordComponent") // Mapped records may contain arrays.
class RecordMapperAddressTest {
    record Node(int value, @TargetByteSize(16) MemorySegment next,
            @Length(2) @TargetByteSize(8) MemorySegment[] others) {}

    @AutoClose
    private final Arena arena = Arena.ofConfined();

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
        Node node = RecordMapper.of(Node.class).getAtIndex(arena.allocate(64, 8), 0);

        assertThat(node.next().byteSize()).isZero();
        assertThat(node.others()).extracting(MemorySegment::byteSize).containsOnly(0L);
    }

    @Test
    void view_addressZeroWithATarget_isASegmentOfSize0() {
        NodeView node = ViewMapper.of(NodeView.class).viewAtIndex(arena.allocate(64, 8), 0);

        assertThat(node.next().byteSize()).isZero();
        assertThat(node.others(1).byteSize()).isZero();
    }

    @Test
    void get_otherAddressWithATarget_hasItsSize() {
        RecordMapper<Node> mapper = RecordMapper.of(Node.class);
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

    @Test
    void varHandle_addressZeroWithATarget_isASegmentOfSize0() {
        Field next = RecordMapper.of(Node.class).field("next");
        MemorySegment segment = RecordMapper.of(Node.class).allocate(arena, 2);
        assertThat(((MemorySegment) next.varHandle().get(segment, 0L)).byteSize()).isZero();
        assertThat(((MemorySegment) next.varHandleAtIndex().getVolatile(segment, 1L)).byteSize()).isZero();
        next.varHandleAtIndex().set(segment, 1L, segment);
        assertThat(((MemorySegment) next.varHandleAtIndex().get(segment, 1L)).byteSize()).isEqualTo(16);
    }

    private static final StructType GIVEN = LayoutText.parse("""
            #pragma layout 2
            struct Given {
                int8_t (*p)[0x7fffffffffff];
                int64_t *others[2];
                int8_t (*sized)[100];
            };
            """);

    record Inner(MemorySegment p, @Length(2) MemorySegment[] others, MemorySegment sized) {}

    record Plain(MemorySegment p, @Length(2) MemorySegment[] others, @TargetByteSize(100) MemorySegment sized) {}

    interface PlainView {
        MemorySegment p();

        MemorySegment others(long index);

        @TargetByteSize(100)
        MemorySegment sized();
    }

    interface ArrayView {
        MemorySegment[] others();
    }

    @Test
    void get_givenStructWithTargets_hasTheSizesThatTheClassDeclares() {
        RecordMapper<Plain> records = RecordMapper.of(Plain.class, GIVEN);
        ViewMapper<PlainView> views = ViewMapper.of(PlainView.class, GIVEN);
        MemorySegment segment = records.allocate(Arena.ofAuto(), 1);
        for (long i = 0; i < segment.byteSize(); i += Long.BYTES) {
            segment.set(ValueLayout.JAVA_LONG, i, 17);
        }
        PlainView view = views.view(segment, 0);

        assertThat(records.get(segment, 0).p().byteSize()).isZero();
        assertThat(records.get(segment, 0).others()).extracting(MemorySegment::byteSize).containsOnly(0L);
        assertThat(records.get(segment, 0).sized().byteSize()).isEqualTo(100);
        assertThat(view.p().byteSize()).isZero();
        assertThat(view.others(1).byteSize()).isZero();
        assertThat(view.others(1).address()).isEqualTo(17);
        assertThat(view.sized().byteSize()).isEqualTo(100);
        assertThat(ViewMapper.of(ArrayView.class, GIVEN).view(segment, 0).others()[0].byteSize()).isZero();
        for (StructMapper<?> mapper : List.of(records, views)) {
            assertThat(mapper.addressField("p").get(segment, 0).byteSize()).isZero();
            assertThat(mapper.addressField("others[1]").getVolatile(segment, 0).byteSize()).isZero();
            assertThat(mapper.addressField("sized").getAcquire(segment, 0).byteSize()).isEqualTo(100);
            assertThat(((MemorySegment) mapper.field("p").varHandle().get(segment, 0L)).byteSize()).isZero();
            assertThat(mapper.type()).isEqualTo(GIVEN);
        }
    }

    record Outer(int number, Inner inner) {}

    interface OuterView {
        Inner inner();
    }

    interface OuterOfViewView {
        InnerView inner();
    }

    interface InnerView {
        MemorySegment p();
    }

    @Test
    void of_givenStructWithTargetsThatNoComponentDeclares_hasNoneInItsLayout() {
        StructType outer = StructType.builder("Outer")
                .add("number", ValueType.of(int.class))
                .add("inner", GIVEN)
                .build();
        MemorySegment segment = MemorySegment.ofArray(new long[8]).fill((byte) 1);
        for (StructMapper<?> mapper : List.of(RecordMapper.of(Outer.class, outer),
                ViewMapper.of(OuterView.class, outer), ViewMapper.of(OuterOfViewView.class, outer))) {
            assertThat(mapper.addressField("inner.sized").get(segment, 0).byteSize()).isZero();
            // Only the creation of a layout with a target requires native access.
            assertThat(((AddressLayout) mapper.field("inner.p").layout()).targetLayout()).isEmpty();
            assertThat(((AddressLayout) mapper.layout()
                    .select(PathElement.groupElement("inner"), PathElement.groupElement("p"))).targetLayout())
                    .isEmpty();
        }
        assertThat(RecordMapper.of(Outer.class, outer).get(segment, 0).inner().p().byteSize()).isZero();
        assertThat(ViewMapper.of(OuterView.class, outer).view(segment, 0).inner().p().byteSize()).isZero();
        assertThat(ViewMapper.of(OuterOfViewView.class, outer).view(segment, 0).inner().p().byteSize()).isZero();
    }

    @Name("Holder")
    record Holder(int number, @Union(of = Pointers.class) byte[] either, @Union(of = Records.class) byte[] one) {}

    @Union
    @Members({"near", "many", "unsigned"})
    interface Pointers {
        @TargetType(Pair.class)
        @Name("n")
        MemorySegment near();

        @TargetByteSize(8)
        @Length(2)
        MemorySegment[] many();

        @Unsigned(4)
        int unsigned();
    }

    sealed interface Records permits First {}

    record First(@TargetByteSize(4) MemorySegment p) implements Records {}

    record Pair(int x, int y) {}

    @Test
    void addressField_ofAUnionWhoseBytesTheRecordHas_hasTheTargetOfTheUnion() {
        RecordMapper<Holder> holders = RecordMapper.of(Holder.class);
        MemorySegment segment = MemorySegment.ofArray(new long[8]).fill((byte) 8);
        assertThat(List.of("either.n", "either.near", "either.many[1]", "one.first.p"))
                .extracting(path -> holders.addressField(path).get(segment).byteSize())
                .containsExactly(8L, 8L, 8L, 4L);
        assertThat(holders.intField("either.unsigned").get(segment)).isEqualTo(0x08080808);
    }
}
