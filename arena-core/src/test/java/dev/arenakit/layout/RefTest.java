package dev.arenakit.layout;

import dev.arenakit.dump.LayoutDump;
import dev.arenakit.layout.annotation.Anonymous;
import dev.arenakit.layout.annotation.In;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.annotation.Members;
import dev.arenakit.layout.annotation.Order;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.RefType;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.arenakit.layout.annotation.Order.Endian.BIG_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RefTest {
    record Node(long value, Ref<Node> next, int depth) {}

    record Leaf(int value, @In("leaves") Ref32<Leaf> next) {}

    record Root(Ref<Node> first, Ref32<Leaf> leaf, Ref<ItemView> item) {}

    @Members({"id", "next", "others"})
    interface ItemView {
        int id();

        ItemView id(int id);

        Ref32<ItemView> next();

        ItemView next(Ref32<ItemView> next);

        @Length(3)
        Ref<Node> others(long index);

        void others(long index, Ref<Node> other);
    }

    private static final RecordMapper<Node> NODES = RecordMapper.of(Node.class);
    private static final RecordMapper<Leaf> LEAVES = RecordMapper.of(Leaf.class);
    private static final ViewMapper<ItemView> ITEMS = ViewMapper.of(ItemView.class);

    @AutoClose
    private final Arena arena = Arena.ofConfined();

    @Test
    void follow_recordOfTheSameClass_isTheRecordAtTheOffset() {
        MemorySegment nodes = NODES.allocateZeroed(arena, 10);
        NODES.setAtIndex(nodes, 7, new Node(3, Ref.none(), 1));
        NODES.setAtIndex(nodes, 0, new Node(4, NODES.refAtIndex(7), 2));

        Node first = NODES.getAtIndex(nodes, 0);
        assertThat(first.next().follow(nodes)).isEqualTo(NODES.getAtIndex(nodes, 7));
        assertThat(first.next().follow(nodes).next().isNone()).isTrue();
        assertThat(first.next()).isEqualTo(NODES.ref(7 * 24))
                .hasSameHashCodeAs(NODES.ref(7 * 24))
                .hasSameClassAs(NODES.ref(0))
                .hasToString("+0xa8");
        assertThat(nodes.get(ValueLayout.JAVA_LONG, 8)).isEqualTo(7 * 24 + 1);
        assertThat(nodes.get(ValueLayout.JAVA_LONG, 7 * 24 + 8)).isZero();
    }

    @Test
    void follow_otherRecordsAndViews_areMappedByTheirDeclarations() {
        RecordMapper<Root> roots = RecordMapper.of(Root.class);
        MemorySegment memory = arena.allocate(1024, 8);
        NODES.set(memory, 64, new Node(5, Ref.none(), 6));
        LEAVES.set(memory, 128, new Leaf(7, Ref.none()));
        ITEMS.view(memory, 256).id(8).next(ITEMS.ref(256)).others(2, NODES.ref(64));
        roots.set(memory, new Root(NODES.ref(64), LEAVES.ref(128), ITEMS.ref(256)));

        Root root = roots.get(memory);
        assertThat(root.first().follow(memory).depth()).isEqualTo(6);
        assertThat(root.leaf().follow(memory).value()).isEqualTo(7);
        ItemView item = root.item().follow(memory);
        assertThat(item.next().follow(memory)).isEqualTo(item);
        assertThat(item.others(2).follow(memory).value()).isEqualTo(5);
        assertThat(item.others(1).isNone()).isTrue();
        assertThat(item).hasToString("ItemView { id = 8, next = +0x100, others = [none, none, +0x40] }");
    }

    @Test
    void set_referenceOf4Bytes_countsUnitsOfTheAlignment() {
        MemorySegment leaves = LEAVES.allocate(arena, 3);
        LEAVES.setAtIndex(leaves, 0, new Leaf(1, LEAVES.refAtIndex(2)));

        assertThat(leaves.get(ValueLayout.JAVA_INT, 4)).isEqualTo(16 / 4 + 1);
        Ref32<Leaf> last = LEAVES.ref(0xffff_fffeL * 4);
        LEAVES.setAtIndex(leaves, 1, new Leaf(1, last));
        assertThat(leaves.get(ValueLayout.JAVA_INT, 12)).isEqualTo(-1);
        assertThat(LEAVES.getAtIndex(leaves, 1).next()).isEqualTo(last);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LEAVES.setAtIndex(leaves, 1, new Leaf(1, LEAVES.ref(0xffff_ffffL * 4))))
                .withMessageContaining("component=next, byteOffset=17179869180, byteAlignment=4, largest=17179869176");
        assertThat(leaves.get(ValueLayout.JAVA_INT, 12)).isEqualTo(-1);
    }

    @ParameterizedTest
    @CsvSource({
            "232, Reference is not within the memory: byteOffset=231",
            "-1, Reference is not within the memory: byteOffset=18446744073709551614",
            "-9223372036854775808, Reference is not within the memory: byteOffset=9223372036854775807",
            "30, Reference is misaligned: byteOffset=29"})
    void follow_numberThatIsWrong_isRefusedWithTheValues(long stored, String message) {
        MemorySegment nodes = NODES.allocateZeroed(arena, 10);
        nodes.set(ValueLayout.JAVA_LONG, 8, stored);
        Ref<Node> wrong = NODES.getAtIndex(nodes, 0).next();

        assertThat(wrong.isNone()).isFalse();
        assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> wrong.follow(nodes))
                .withMessageStartingWith(
                        message + ", layout=Node, layout.byteSize=24, layout.byteAlignment=8, memory.byteSize=240");
        assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> wrong.offsetIn(nodes))
                .withMessageStartingWith(message);
        NODES.setAtIndex(nodes, 1, NODES.getAtIndex(nodes, 0));
        assertThat(nodes.get(ValueLayout.JAVA_LONG, 24 + 8)).isEqualTo(stored);
    }

    @Test
    void follow_offsetWithinAStructOfAnArray_isRefused() {
        MemorySegment leaves = LEAVES.allocateZeroed(arena, 4);
        leaves.set(ValueLayout.JAVA_INT, 4, 12 / 4 + 1);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> LEAVES.getAtIndex(leaves, 0).next().follow(leaves))
                .withMessageStartingWith(
                        "Reference points into a struct: byteOffset=12, layout=Leaf, layout.byteSize=8, "
                                + "layout.byteAlignment=4, memory.byteSize=32, allocation=leaves; follow it");
        assertThat(LEAVES.ref(12).follow(leaves).value()).isZero();
    }

    @Test
    void follow_none_isRefused() {
        assertThatExceptionOfType(NoSuchElementException.class)
                .isThrownBy(() -> NODES.get(NODES.allocateZeroed(arena)).next().follow(MemorySegment.NULL))
                .withMessage("Reference points to nothing: layout=Node; call isNone first");
        assertThatExceptionOfType(NoSuchElementException.class)
                .isThrownBy(() -> Ref.none().follow(MemorySegment.NULL));
        assertThat(Ref.none().offsetIn(MemorySegment.NULL)).isEqualTo(-1);
        assertThat(Ref.none()).isEqualTo(NODES.get(NODES.allocateZeroed(arena)).next()).hasToString("none");
    }

    @Test
    void ref_offsetThatIsNoStruct_isRefused() {
        assertThat(NODES.ref(72)).isEqualTo(NODES.refAtIndex(3));
        assertThatIllegalArgumentException().isThrownBy(() -> NODES.ref(-8)).withMessageContaining("byteOffset=-8");
        assertThatIllegalArgumentException().isThrownBy(() -> NODES.ref(12)).withMessageContaining("byteAlignment=8");
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> NODES.refAtIndex(-1));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> NODES.refAtIndex(1L << 62));
    }

    /// The struct that is given has the other byte order and a further member.
    @Test
    void follow_mapperOfAGivenStruct_readsTheGivenStruct() {
        StructType given = LayoutText.parse("""
                #pragma layout 3
                struct Node {
                    int64_t @big value;
                    int32_t added;
                    int32_t @big depth;
                    uint64_t @ref(32, 8, Node, "nodes") @big next;
                    int64_t more;
                };
                """);
        RecordMapper<Node> nodes = RecordMapper.of(Node.class, given);
        MemorySegment memory = nodes.allocateZeroed(arena, 3);
        nodes.setAtIndex(memory, 0, new Node(1, nodes.refAtIndex(2), 3));
        nodes.setAtIndex(memory, 2, new Node(4, Ref.none(), 5));

        assertThat(memory.get(ValueLayout.JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN), 16)).isEqualTo(65);
        assertThat(nodes.getAtIndex(memory, 0).next().follow(memory)).isEqualTo(new Node(4, Ref.none(), 5));
    }

    @Test
    void of_givenStructThatRefersToAnotherSize_isRefused() {
        StructType given = LayoutText.parse("""
                #pragma layout 3
                struct Node { int64_t value; uint64_t @ref(16, 8, Node) next; int32_t depth; };
                """);

        assertThatIllegalArgumentException().isThrownBy(() -> RecordMapper.of(Node.class, given))
                .withMessageContaining("component=next")
                .withMessageContaining("targetByteSize=16");
    }

    @Test
    void longField_ofAReference_isTheNumberInMemory() {
        LongField next = NODES.longField("next");
        IntField nextItem = ITEMS.intField("next");
        MemorySegment nodes = NODES.allocateZeroed(arena, 2);

        assertThat(next.compareAndSet(nodes, 0, 0, 25)).isTrue();
        assertThat(NODES.getAtIndex(nodes, 0).next()).isEqualTo(NODES.refAtIndex(1));
        assertThat(nextItem.get(ITEMS.allocateZeroed(arena))).isZero();
        assertThatIllegalArgumentException().isThrownBy(() -> NODES.intField("next"))
                .withMessageContaining("use longField");
    }

    @Test
    void follow_privateRecordInAModule_isReachedByTheLookupOfTheMapper(@TempDir Path folder) throws Exception {
        assertThat(UserModule.inModule(folder, """
                package user;
                import dev.arenakit.layout.*;
                import java.lang.foreign.*;
                import java.lang.invoke.MethodHandles;
                import java.util.List;
                public class Main implements java.util.concurrent.Callable<List<String>> {
                    private record Leaf(int value) {}
                    private record Node(Ref<Leaf> leaf) {}
                    public List<String> call() {
                        MemorySegment memory = MemorySegment.ofArray(new long[]{9, 0x7_0000_0007L});
                        RecordMapper<Node> nodes = RecordMapper.of(MethodHandles.lookup(), Node.class);
                        return List.of(nodes.get(memory).leaf().follow(memory).toString());
                    }
                }
                """, "")).containsExactly("Leaf[value=7]");
    }

    record Raw(@SuppressWarnings("rawtypes") Ref next) {}

    record Wild(Ref<?> next) {}

    record Text(Ref<String> next) {}

    record InOfInt(@In("nodes") int next) {}

    record AnonymousRef(@Anonymous Ref<Node> next) {}

    record QuotedIn(@In("a\"b") Ref<Node> next) {}

    @ParameterizedTest
    @ValueSource(classes = {Raw.class, Wild.class, Text.class, InOfInt.class, AnonymousRef.class, QuotedIn.class})
    void of_declarationThatIsWrong_isRefused(Class<?> type) {
        assertThatIllegalArgumentException().isThrownBy(() -> RecordMapper.of(type))
                .withMessageContaining("component=next")
                .withMessageContaining("; ");
    }

    record Ordered(@Order(BIG_ENDIAN) Ref32<Node> a, @In("nodes") Ref<Node> b) {}

    @Test
    void type_ofReferences_hasTheSizeOfTheStruct() {
        StructType type = RecordMapper.of(Ordered.class).type();

        assertThat(type.members().getFirst().type())
                .isEqualTo(new RefType("Node", 24, 8, Optional.empty(), 4, ByteOrder.BIG_ENDIAN, 4));
        assertThat(LayoutText.print(type)).isEqualTo("""
                #pragma layout 3

                struct Ordered {
                    uint32_t @ref(24, 8, Node) @big a;
                    uint64_t @ref(24, 8, Node, "nodes") b;
                };
                """);
        assertThat(LayoutText.parse(LayoutText.print(type))).isEqualTo(type);
        assertThat(LayoutText.toCHeader(type))
                .contains("uint32_t a; /* 0, or 1 + the offset in units of 8 bytes of a struct Node, big-endian */")
                .contains("uint64_t b; /* 0, or 1 + the offset of a struct Node in nodes */");
    }

    @Test
    void toString_dumpOfReferences_namesTheirTargets() {
        MemorySegment nodes = NODES.allocateZeroed(arena, 4);
        nodes.set(ValueLayout.JAVA_LONG, 8, 49);
        nodes.set(ValueLayout.JAVA_LONG, 32, 97);
        nodes.set(ValueLayout.JAVA_LONG, 56, 57);
        LayoutDump dump = LayoutDump.of(NODES.type());

        assertThat(dump.withBases(_ -> nodes.byteSize()).toString(nodes)).isEqualTo("""
                [0] Node { value = 0, next = -> [2], depth = 0 }
                [1] Node { value = 0, next = -> [4] (out of bounds), depth = 0 }
                [2] Node { value = 0, next = -> +0x38 (within [2]), depth = 0 }
                [3] Node { value = 0, next = none, depth = 0 }
                """);
        MemorySegment ordered = arena.allocate(16, 8);
        ordered.set(ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN), 0, 137);
        ordered.set(ValueLayout.JAVA_LONG, 8, 24 * 17 + 1);
        LayoutDump other = LayoutDump.of(RecordMapper.of(Ordered.class).type());
        assertThat(other.toString(ordered))
                .isEqualTo("[0] Ordered { a = -> +0x440, b = -> nodes[17] }\n");
        assertThat(other.withBases(name -> name.equals("nodes") ? 24 * 17 : 1096).toString(ordered))
                .isEqualTo("[0] Ordered { a = -> +0x440 (out of bounds), b = -> nodes[17] (out of bounds) }\n");
    }
}
