package dev.arenakit.examples.images;

import dev.arenakit.examples.process.DoomedProcess;
import dev.arenakit.layout.LongField;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.InfiniteArena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;

/// Slots with a quote each, which one store replaces: after a kill, each slot has its old quote, or its new one.
/// `docs/stored-structures.md` has the rules.
final class LastingQuotes {
    static final int COUNT = 16;

    private static final RecordMapper<Slot> SLOTS = RecordMapper.of(Slot.class);
    private static final LongField PLACE = SLOTS.longField("place");
    private static final RecordMapper<Quote> QUOTES = RecordMapper.of(Quote.class);
    private static final long STEP = 1000;

    private final MemorySegment slots;
    /// Two places for each slot.
    private final MemorySegment quotes;

    /// Opens the quotes of an image, or creates them: zeros are a quote, too.
    LastingQuotes(InfiniteArena arena) {
        quotes = memory(arena, "quotes", QUOTES.type(), 2 * COUNT);
        slots = memory(arena, "slots", SLOTS.type(), COUNT);
    }

    private static MemorySegment memory(InfiniteArena arena, String name, StructType type, long count) {
        return arena.names().find(name, type).orElseGet(() -> arena.names().allocate(name, type, count));
    }

    /// @param place 0 or 1
    record Slot(long place) {}

    record Quote(long number, double bid, double ask) {
        static Quote number(long number) {
            return new Quote(number, number, number + 0.25);
        }
    }

    Quote get(long slot) {
        return QUOTES.getAtIndex(quotes, 2 * slot + PLACE.getAcquireAtIndex(slots, slot));
    }

    void put(long slot, Quote quote) {
        long other = 1 - PLACE.getAtIndex(slots, slot);
        QUOTES.setAtIndex(quotes, 2 * slot + other, quote); // 1. where nobody looks
        PLACE.setReleaseAtIndex(slots, slot, other); // 2. one store: the old quote before it, the new one after it
        VarHandle.storeStoreFence(); // 3. The next put overwrites the old quote after this store.
    }

    /// Puts quotes until it is killed, or until its parent has ended.
    ///
    /// @param args the base of the image
    public static void main(String[] args) {
        DoomedProcess.endWithParent();
        putUntilKilled(Path.of(args[0]));
    }

    private static void putUntilKilled(Path base) {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            LastingQuotes quotes = new LastingQuotes(arena);
            System.out.println(DoomedProcess.READY);
            for (long number = 1;; number++) {
                quotes.put(number % COUNT, Quote.number(number));
                if (number % STEP == 0) {
                    System.out.println(DoomedProcess.REACHED + number);
                }
            }
        }
    }
}
