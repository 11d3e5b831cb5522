package dev.arenakit.bench.micro.layout;

import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.ViewMapper;
import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.CompilerControl;

/// Loops over quotes through mappers. The loops are inlined into their callers, so a mapper that is a constant in the
/// caller is also a constant here.
final class QuoteLoops {
    private QuoteLoops() {}

    @CompilerControl(CompilerControl.Mode.INLINE)
    static long sumIds(RecordMapper<Quote> mapper, MemorySegment quotes, long count) {
        long sum = 0;
        for (long i = 0; i < count; i++) {
            sum += mapper.getAtIndex(quotes, i).id();
        }
        return sum;
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    static double read(RecordMapper<Quote> mapper, MemorySegment quotes, long count) {
        double sum = 0;
        for (long i = 0; i < count; i++) {
            sum += mapper.getAtIndex(quotes, i).sum();
        }
        return sum;
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    static double write(RecordMapper<Quote> mapper, MemorySegment quotes, long count) {
        for (long i = 0; i < count; i++) {
            mapper.setAtIndex(quotes, i, Quote.of(i));
        }
        return (double) count;
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    static double copy(RecordMapper<Quote> mapper, MemorySegment from, MemorySegment to, long count) {
        for (long i = 0; i < count; i++) {
            mapper.setAtIndex(to, i, mapper.getAtIndex(from, i));
        }
        return (double) count;
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    static long sumIds(ViewMapper<Quote.View> mapper, MemorySegment quotes, long count) {
        long sum = 0;
        for (long i = 0; i < count; i++) {
            sum += mapper.viewAtIndex(quotes, i).id();
        }
        return sum;
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    static double read(ViewMapper<Quote.View> mapper, MemorySegment quotes, long count) {
        double sum = 0;
        for (long i = 0; i < count; i++) {
            sum += mapper.viewAtIndex(quotes, i).sum();
        }
        return sum;
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    static double write(ViewMapper<Quote.View> mapper, MemorySegment quotes, long count) {
        for (long i = 0; i < count; i++) {
            Quote.View quote = mapper.viewAtIndex(quotes, i);
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
            Quote.View source = mapper.viewAtIndex(from, i);
            Quote.View target = mapper.viewAtIndex(to, i);
            target.id(source.id());
            target.price(source.price());
            target.quantity(source.quantity());
            target.venue(source.venue());
            target.time(source.time());
        }
        return (double) count;
    }
}
