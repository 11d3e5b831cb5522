package dev.arenakit.collection;

import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.ViewMapper;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.annotation.Members;
import dev.arenakit.layout.annotation.Unsigned;
import java.lang.invoke.MethodHandles;

/// The records for the tests of structures of structs.
final class StructModelRecords {
    /// A key with padding and text.
    record OrderKey(byte kind, long account, @Length(5) String venue) {}

    record Position(int lots, long quantity, double price) {}

    @Members({"lots", "quantity", "price"})
    interface PositionView {
        int lots();

        long quantity();

        PositionView quantity(long quantity);

        double price();

        PositionView price(double price);
    }

    record Row(long id, int count, double price, float weight, short small, byte tiny, char letter,
            @Unsigned(8) long large) {}

    static final RecordMapper<OrderKey> KEYS = RecordMapper.of(MethodHandles.lookup(), OrderKey.class);
    static final RecordMapper<Position> POSITIONS = RecordMapper.of(MethodHandles.lookup(), Position.class);
    static final ViewMapper<PositionView> VIEWS = ViewMapper.of(MethodHandles.lookup(), PositionView.class);
    static final RecordMapper<Row> ROWS = RecordMapper.of(MethodHandles.lookup(), Row.class);

    private StructModelRecords() {}
}
