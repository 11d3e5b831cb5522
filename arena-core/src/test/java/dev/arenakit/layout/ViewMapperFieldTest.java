package dev.arenakit.layout;

import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.annotation.Members;
import dev.arenakit.layout.annotation.Name;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.ToLongBiFunction;
import org.junit.jupiter.api.Test;

import static dev.arenakit.testing.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ViewMapperFieldTest {
    enum Side {
        BUY, SELL
    }

    @Members({"sent", "received"})
    interface HeaderView {
        long sent();

        long received();
    }

    @Members({"header", "id", "quantity", "price", "weight", "level", "port", "grade", "ready", "next", "side",
            "counts", "small", "old"})
    interface TradeView {
        HeaderView header();

        long id();

        void id(long id);

        @Name("amount")
        int quantity();

        TradeView quantity(int quantity);

        double price();

        float weight();

        byte level();

        short port();

        char grade();

        boolean ready();

        MemorySegment next();

        Side side();

        void side(Side side);

        @Length(4)
        long counts(long index);

        @Length(4)
        int small(long index);

        @Length(2)
        HeaderView old(long index);

        default double total() {
            return quantity() * price();
        }
    }

    private static final ViewMapper<TradeView> TRADES = ViewMapper.of(TradeView.class);

    @Test
    void field_byMethod_isThatByName() {
        assertThat(TRADES.longField(TradeView::id)).isSameAs(TRADES.longField("id"));
        assertThat(TRADES.intField(TradeView::quantity)).isSameAs(TRADES.intField("amount"));
        assertThat(TRADES.intField("quantity").byteOffset()).isEqualTo(TRADES.field("amount").byteOffset());
        assertThat(TRADES.doubleField(TradeView::price)).isSameAs(TRADES.doubleField("price"));
        assertThat(TRADES.floatField(TradeView::weight)).isSameAs(TRADES.floatField("weight"));
        assertThat(TRADES.byteField(TradeView::level)).isSameAs(TRADES.byteField("level"));
        assertThat(TRADES.shortField(TradeView::port)).isSameAs(TRADES.shortField("port"));
        assertThat(TRADES.charField(TradeView::grade)).isSameAs(TRADES.charField("grade"));
        assertThat(TRADES.booleanField(TradeView::ready)).isSameAs(TRADES.booleanField("ready"));
        assertThat(TRADES.addressField(TradeView::next)).isSameAs(TRADES.addressField("next"));
        assertThat(TRADES.enumField(TradeView::side)).isSameAs(TRADES.enumField("side", Side.class));
        assertThat(TRADES.longElements(TradeView::counts)).isSameAs(TRADES.longElements("counts"));
        assertThat(TRADES.intElements(TradeView::small)).isSameAs(TRADES.intElements("small"));
    }

    @Test
    void field_byMethods_isInANestedView() {
        assertThat(TRADES.longField(trade -> trade.header().received()).path()).isEqualTo("header.received");
        assertThat(TRADES.longField(trade -> trade.old(1).sent()).path()).isEqualTo("old[1].sent");
        assertThat(TRADES.longField(trade -> trade.counts(2)).path()).isEqualTo("counts[2]");
    }

    @Test
    void field_ofAView_accessesItsMemory() {
        MemorySegment segment = TRADES.allocate(Arena.ofAuto(), 2);
        TradeView trade = TRADES.viewAtIndex(segment, 1);
        trade.id(5);
        trade.side(Side.SELL);
        assertThat(TRADES.longField(TradeView::id).getAndAddAtIndex(segment, 1, 2)).isEqualTo(5);
        assertThat(trade.id()).isEqualTo(7);
        assertThat(TRADES.enumField(TradeView::side).getAtIndex(segment, 1)).isEqualTo(Side.SELL);
        assertThat(TRADES.longElements(TradeView::counts).getAndAddAtIndex(segment, 1, 3, 4)).isZero();
        assertThat(trade.counts(3)).isEqualTo(4);
    }

    @Test
    void field_byAFunctionThatReadsNoneOrSeveral_isRefused() {
        isRefused(() -> TRADES.longField(_ -> 1), "[]");
        isRefused(() -> TRADES.longField(trade -> trade.id() + trade.quantity()), "[id, quantity]");
        isRefused(() -> TRADES.longField(trade -> trade.header().sent() + trade.header().sent()),
                "[header, sent, header]");
        isRefused(() -> TRADES.doubleField(TradeView::total), "[total]");
        isRefused(() -> TRADES.intField(Object::hashCode), "[hashCode]");
        isRefused(() -> TRADES.longField(trade -> {
            trade.id(3);
            return 0;
        }), "[id]");
        isRefused(() -> TRADES.intField(trade -> trade.side().name().length()), "[side]");
    }

    private static void isRefused(Runnable field, String calls) {
        assertRefused(field::run, "Function does not read one field of the view: class="
                + TradeView.class.getName() + ", calls=" + calls
                + "; pass a method that reads one member, such as TradeView::");
    }

    @Members({"rows", "counts"})
    interface TableView {
        @Length(2)
        RowView rows(long index);

        @Length(2)
        long counts(long index);
    }

    @Members("cells")
    interface RowView {
        @Length(3)
        long cells(long index);
    }

    @Test
    void elements_byAFunctionThatDoesNotReadTheElementAtTheIndex_areRefused() {
        ViewMapper<TableView> mapper = ViewMapper.of(TableView.class);
        assertThat(mapper.longElements((table, i) -> table.rows(1).cells(i)).path()).isEqualTo("rows[1].cells");
        for (ToLongBiFunction<TableView, Long> wrong : List.<ToLongBiFunction<TableView, Long>>of(
                (table, i) -> table.rows(i).cells(i), (table, i) -> table.rows(i).cells(0),
                (table, _) -> table.counts(0), (table, i) -> table.counts(i + 1))) {
            assertRefused(() -> mapper.longElements(wrong), "Function does not read the element at the index: class="
                    + TableView.class.getName() + ", index 0 reads ");
        }
    }

    @Test
    void field_byAMethodOfAnotherType_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> TRADES.longField(TradeView::quantity))
                .withMessage("Field is of another type: expected=long, layout=TradeView, path=amount, type=int; "
                        + "use intField");
    }

    /// A view that has another name for the member than the given struct.
    interface AmountView {
        @Name("renamed")
        int amount();
    }

    @Test
    void view_overAGivenStruct_findsMembersByBothNames() {
        MemorySegment segment = TRADES.allocate(Arena.ofAuto(), 1);
        TRADES.viewAtIndex(segment, 0).quantity(7);
        ViewMapper<AmountView> amounts = ViewMapper.of(AmountView.class, TRADES.type());
        assertThat(amounts.viewAtIndex(segment, 0).amount()).isEqualTo(7);
        assertThat(amounts.intField(AmountView::amount).get(segment, 0)).isEqualTo(7);
    }

    @Members({"inC", "second"})
    interface NamedView {
        @Name("inC")
        int first();

        int second();
    }

    @Test
    void members_ofAView_haveBothNames() {
        assertThat(ViewMapper.of(NamedView.class).field("first").byteOffset()).isZero();
    }

    @Test
    void list_ofViews_readsInPlaceAndCannotBeChanged() {
        MemorySegment segment = TRADES.allocate(Arena.ofAuto(), 3);
        List<TradeView> list = TRADES.list(segment);
        list.forEach(trade -> trade.id(4));
        assertThat(list).hasSize(3);
        assertThat(TRADES.stream(segment).mapToLong(TradeView::id).sum()).isEqualTo(12);
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> list.set(1, list.get(0)))
                .withMessageStartingWith("List of views cannot be changed: layout=TradeView, index=1");
    }

    @Test
    void copy_ofViews_copiesTheirStructs() {
        MemorySegment from = TRADES.allocate(Arena.ofAuto(), 3);
        MemorySegment to = TRADES.allocate(Arena.ofAuto(), 3);
        TRADES.viewAtIndex(from, 1).id(8);
        TRADES.copy(from, 1, to, 2, 1);
        assertThat(TRADES.list(to)).extracting(TradeView::id).containsExactly(0L, 0L, 8L);
    }

    @Test
    void fill_withAView_copiesItsStructToEveryIndex() {
        MemorySegment one = TRADES.allocate(Arena.ofAuto(), 2);
        TRADES.viewAtIndex(one, 1).quantity(3).id(9);
        MemorySegment segment = TRADES.allocate(Arena.ofAuto(), 5);
        TRADES.fill(segment, 1, 3, TRADES.viewAtIndex(one, 1));
        assertThat(TRADES.list(segment)).extracting(TradeView::id).containsExactly(0L, 9L, 9L, 9L, 0L);
        TRADES.fill(segment, TRADES.viewAtIndex(segment, 2));
        assertThat(TRADES.list(segment)).extracting(TradeView::quantity).containsOnly(3);
    }

    @Test
    void fill_withAViewOfAnotherMapper_isRefused() {
        ViewMapper<AmountView> mapper = ViewMapper.of(AmountView.class);
        AmountView other = () -> 1;
        assertRefused(() -> mapper.fill(mapper.allocate(Arena.ofAuto(), 1), other),
                "View is not one of this mapper: class=");
    }
}
