package dev.arenakit.examples.postmortem;

import dev.arenakit.examples.process.DoomedProcess;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.mapped.InfiniteArena;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/// The process that [WrongFieldExample] kills. It stores the positions of a trading desk, and has a bug.
final class PositionWriter {
    /// The byte on standard input for which the process waits before it books more trades.
    static final int GO_ON = 'g';

    private static final int POSITIONS = 10_000;
    private static final RecordMapper<Position> MAPPER = RecordMapper.of(Position.class);
    private static final RecordMapper<Desk> DESK = RecordMapper.of(Desk.class);

    enum Side {
        LONG, SHORT
    }

    record Position(long instrument, int quantity, Side side, double price, @Length(8) String symbol) {}

    record Desk(long trades, @Length(16) String trader) {}

    private PositionWriter() {}

    /// Writes until it is killed.
    ///
    /// @param args the base of the image
    /// @throws IOException if standard input cannot be read
    public static void main(String[] args) throws IOException {
        // The arena is never closed, because the process is killed.
        InfiniteArena arena = InfiniteArena.ofShared(Path.of(args[0]));
        MemorySegment positions = arena.names().allocate("positions", MAPPER.type(), 1 << 20);
        MemorySegment desk = arena.names().allocate("desk", DESK.type(), 1);
        for (int i = 0; i < POSITIONS; i++) {
            MAPPER.setAtIndex(positions, i, new Position(i, 100, Side.LONG, 10 + i % 400 / 4.0, "ARNA" + i % 100));
        }
        DESK.set(desk, new Desk(POSITIONS, "Ada"));
        System.out.println(DoomedProcess.READY);
        if (System.in.read() != GO_ON) {
            return;
        }
        DoomedProcess.endWithParent();
        book(positions, 7072, 2_147_483_600);
        DESK.set(desk, new Desk(POSITIONS + 1, "Ada"));
        arena.names().allocate("report", DESK.type(), 1);
        System.out.println(DoomedProcess.REACHED + (POSITIONS + 1));
        while (true) {
            Thread.onSpinWait();
        }
    }

    /// Adds to a position. This is the bug: the sum may need more than 31 bits.
    private static void book(MemorySegment positions, long index, int quantity) {
        Position before = MAPPER.getAtIndex(positions, index);
        MAPPER.setAtIndex(positions, index,
                new Position(before.instrument(), before.quantity() + quantity, before.side(),
                        before.price(), before.symbol()));
    }
}
