package dev.arenakit.bench.micro.layout;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;
import org.openjdk.jmh.annotations.CompilerControl;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Loops over quotes through VarHandles, written by hand: the handles are constants.
final class QuoteHandles {
    private static final StructLayout LAYOUT = MemoryLayout.structLayout(JAVA_LONG.withName("id"),
            JAVA_DOUBLE.withName("price"), JAVA_INT.withName("quantity"), JAVA_INT.withName("venue"),
            JAVA_LONG.withName("time"));
    private static final VarHandle ID = handle("id");
    private static final VarHandle PRICE = handle("price");
    private static final VarHandle QUANTITY = handle("quantity");
    private static final VarHandle VENUE = handle("venue");
    private static final VarHandle TIME = handle("time");

    private QuoteHandles() {}

    static VarHandle handle(String field) {
        return LAYOUT.arrayElementVarHandle(PathElement.groupElement(field)).withInvokeExactBehavior();
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    static long sumIds(MemorySegment quotes, long count) {
        long sum = 0;
        for (long i = 0; i < count; i++) {
            sum += (long) ID.get(quotes, 0L, i);
        }
        return sum;
    }

    static Quote get(MemorySegment quotes, long index) {
        return new Quote((long) ID.get(quotes, 0L, index), (double) PRICE.get(quotes, 0L, index),
                (int) QUANTITY.get(quotes, 0L, index), (int) VENUE.get(quotes, 0L, index),
                (long) TIME.get(quotes, 0L, index));
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    static double read(MemorySegment quotes, long count) {
        double sum = 0;
        for (long i = 0; i < count; i++) {
            sum += (long) ID.get(quotes, 0L, i) + (double) PRICE.get(quotes, 0L, i) + (int) QUANTITY.get(quotes, 0L, i)
                    + (int) VENUE.get(quotes, 0L, i) + (long) TIME.get(quotes, 0L, i);
        }
        return sum;
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    static double write(MemorySegment quotes, long count) {
        for (long i = 0; i < count; i++) {
            ID.set(quotes, 0L, i, i);
            PRICE.set(quotes, 0L, i, (double) i);
            QUANTITY.set(quotes, 0L, i, (int) i);
            VENUE.set(quotes, 0L, i, 1);
            TIME.set(quotes, 0L, i, i);
        }
        return (double) count;
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    static double copy(MemorySegment from, MemorySegment to, long count) {
        for (long i = 0; i < count; i++) {
            ID.set(to, 0L, i, (long) ID.get(from, 0L, i));
            PRICE.set(to, 0L, i, (double) PRICE.get(from, 0L, i));
            QUANTITY.set(to, 0L, i, (int) QUANTITY.get(from, 0L, i));
            VENUE.set(to, 0L, i, (int) VENUE.get(from, 0L, i));
            TIME.set(to, 0L, i, (long) TIME.get(from, 0L, i));
        }
        return (double) count;
    }
}
