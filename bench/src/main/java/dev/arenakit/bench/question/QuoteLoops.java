package dev.arenakit.bench.question;

import dev.arenakit.layout.Cursor;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.ViewMapper;
import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.CompilerControl;

/// Work on quotes through mappers, inlined where it is asked for: a mapper that is a constant there is one here too.
final class QuoteLoops {
    private QuoteLoops() {}

    @CompilerControl(CompilerControl.Mode.INLINE)
    static long sumIds(RecordMapper<Quote> mapper, MemorySegment quotes, long count) {
        long sum = 0;
        for (long i = 0; i < count; i++) {
            sum += mapper.get(quotes, i).id();
        }
        return sum;
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    static double read(RecordMapper<Quote> mapper, MemorySegment quotes, long count) {
        double sum = 0;
        for (long i = 0; i < count; i++) {
            sum += mapper.get(quotes, i).sum();
        }
        return sum;
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    static double write(RecordMapper<Quote> mapper, MemorySegment quotes, long count) {
        for (long i = 0; i < count; i++) {
            mapper.set(quotes, i, Quote.of(i));
        }
        return (double) count;
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    static double copy(RecordMapper<Quote> mapper, MemorySegment from, MemorySegment to, long count) {
        for (long i = 0; i < count; i++) {
            mapper.set(to, i, mapper.get(from, i));
        }
        return (double) count;
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    static long sumIds(ViewMapper<Quote.View> mapper, MemorySegment quotes, long count) {
        long sum = 0;
        for (long i = 0; i < count; i++) {
            sum += mapper.view(quotes, i).id();
        }
        return sum;
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    static long sumIds(Cursor<Quote.View> quotes) {
        long sum = 0;
        while (quotes.next()) {
            sum += quotes.view().id();
        }
        return sum;
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    static double read(ViewMapper<Quote.View> mapper, MemorySegment quotes, long count) {
        double sum = 0;
        for (long i = 0; i < count; i++) {
            sum += mapper.view(quotes, i).sum();
        }
        return sum;
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    static double write(ViewMapper<Quote.View> mapper, MemorySegment quotes, long count) {
        for (long i = 0; i < count; i++) {
            Quote.View quote = mapper.view(quotes, i);
            quote.id(i);
            quote.price((double) i);
            quote.quantity((int) i);
            quote.venue(1);
            quote.time(i);
        }
        return (double) count;
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    static double copy(ViewMapper<Quote.View> mapper, MemorySegment from, MemorySegment to, long count) {
        for (long i = 0; i < count; i++) {
            Quote.View source = mapper.view(from, i);
            Quote.View target = mapper.view(to, i);
            target.id(source.id());
            target.price(source.price());
            target.quantity(source.quantity());
            target.venue(source.venue());
            target.time(source.time());
        }
        return (double) count;
    }
}
