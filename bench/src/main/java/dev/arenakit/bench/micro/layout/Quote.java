package dev.arenakit.bench.micro.layout;

import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.ViewMapper;
import dev.arenakit.layout.annotation.Members;

/// A struct of 32 bytes.
record Quote(long id, double price, int quantity, int venue, long time) {
    static final RecordMapper<Quote> RECORDS = RecordMapper.of(Quote.class);
    static final ViewMapper<View> VIEWS = ViewMapper.of(View.class);

    static Quote of(long i) {
        return new Quote(i, (double) i, (int) i, 1, i);
    }

    double sum() {
        return (double) id + price + quantity + venue + time;
    }

    /// A view of the same struct.
    @Members({"id", "price", "quantity", "venue", "time"})
    interface View {
        long id();

        void id(long id);

        double price();

        void price(double price);

        int quantity();

        void quantity(int quantity);

        int venue();

        void venue(int venue);

        long time();

        void time(long time);

        default double sum() {
            return (double) id() + price() + quantity() + venue() + time();
        }
    }
}
