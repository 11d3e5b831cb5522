package dev.arenakit.bench;

import dev.arenakit.bench.Suite.Iterations;
import dev.arenakit.bench.question.Mapped;
import dev.arenakit.bench.question.OneBlock;
import dev.arenakit.bench.question.OneBlockFilled;
import dev.arenakit.bench.question.Session;
import dev.arenakit.bench.report.Cell;
import dev.arenakit.bench.report.Target;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The suites that the harness knows. A new one is a new entry here.
final class Suites {
    private static final String[] SIZES = {"16", "64", "256", "1024", "4096", "65536", "1048576"};
    private static final String[] PLANS = {"1x32", "10x32", "100x16..512"};

    private static final Suite DEMO = new Suite("demo", "The arenas against Arena.ofConfined", 1,
            new Iterations(3, Duration.ofMillis(400)),
            new Iterations(3, Duration.ofMillis(300)),
            cells(
                    grid(OneBlock.class, "byteSize").of("64")
                            .by("ofConfined", "mallocArena", "slabArena", "slabArenaUnzeroed"),
                    grid(OneBlock.class, "byteSize").of("65536").by("ofConfined", "mallocArena"),
                    grid(OneBlockFilled.class, "byteSize").of("65536").by("ofConfined", "mallocArena"),
                    grid(Session.class, "plan").of("10x32", "100x16..512")
                            .by("ofConfined", "mallocArena", "slabArena", "slabArenaUnzeroed"),
                    grid(Mapped.class, "byteSize").of("100").by("ofConfined", "chunkedConfined")),
            List.of(), false);

    private static final Suite TARGETS = new Suite("targets", "What is asked of the arenas, and what they do", 5,
            new Iterations(3, Duration.ofMillis(700)),
            new Iterations(3, Duration.ofMillis(400)),
            cells(
                    grid(OneBlock.class, "byteSize").of(SIZES).by("ofConfined", "mallocArena"),
                    grid(OneBlockFilled.class, "byteSize").of(SIZES).by("ofConfined", "mallocArena"),
                    grid(Session.class, "plan").of(PLANS)
                            .by("ofConfined", "mallocArena", "slabArena", "slabArenaUnzeroed", "slabArenaBounded"),
                    grid(Mapped.class, "byteSize").of("100")
                            .by("ofConfined", "chunkedConfined", "chunkedShared", "filePerAllocation")),
            List.of(
                    faster(6, session("slabArenaUnzeroed", "1x32")),
                    faster(18, session("slabArenaUnzeroed", "10x32")),
                    faster(20, session("slabArenaUnzeroed", "100x16..512")),
                    faster(3.5, session("slabArena", "1x32")),
                    faster(9, session("slabArena", "10x32")),
                    faster(5, session("slabArena", "100x16..512")),
                    faster(3, session("slabArenaBounded", "1x32")),
                    faster(15, session("slabArenaBounded", "10x32")),
                    faster(2.5, block(OneBlock.class, "16")),
                    faster(2.5, block(OneBlock.class, "64")),
                    faster(2.5, block(OneBlock.class, "256")),
                    faster(2.5, block(OneBlock.class, "1024")),
                    faster(12, block(OneBlock.class, "65536")),
                    faster(150, block(OneBlock.class, "1048576")),
                    measured(block(OneBlockFilled.class, "16")),
                    measured(block(OneBlockFilled.class, "64")),
                    measured(block(OneBlockFilled.class, "256")),
                    measured(block(OneBlockFilled.class, "1024")),
                    measured(block(OneBlockFilled.class, "65536")),
                    measured(block(OneBlockFilled.class, "1048576")),
                    faster(2, session("mallocArena", "10x32")),
                    // "0.6 of the time or less", turned round.
                    faster(1 / 0.6, mapped("chunkedConfined")),
                    new Target(mapped("chunkedConfined"), "filePerAllocation", 1000, true)),
            true);

    static final List<Suite> ALL = List.of(DEMO, TARGETS);

    private Suites() {}

    /// Some contestants of a question at some values of its parameter.
    private record Grid(Class<?> question, String param, List<String> values, List<String> contestants) {
        Grid of(String... some) {
            return new Grid(question, param, List.of(some), contestants);
        }

        Grid by(String... some) {
            return new Grid(question, param, values, List.of(some));
        }

        /// All contestants at the first value, then all at the next: what is compared runs close together.
        Stream<Cell> cells() {
            return values.stream()
                    .flatMap(value -> contestants.stream().map(name -> cell(question, name, param, value)));
        }
    }

    private static Grid grid(Class<?> question, String param) {
        return new Grid(question, param, List.of(), List.of());
    }

    private static List<Cell> cells(Grid... grids) {
        return Stream.of(grids).flatMap(Grid::cells).toList();
    }

    private static Target faster(double times, Cell cell) {
        return new Target(cell, Cell.BASELINE, times, true);
    }

    private static Target measured(Cell cell) {
        return new Target(cell, Cell.BASELINE, Double.NaN, true);
    }

    private static Cell session(String contestant, String plan) {
        return cell(Session.class, contestant, "plan", plan);
    }

    private static Cell block(Class<?> question, String byteSize) {
        return cell(question, "mallocArena", "byteSize", byteSize);
    }

    private static Cell mapped(String contestant) {
        return cell(Mapped.class, contestant, "byteSize", "100");
    }

    private static Cell cell(Class<?> question, String contestant, String param, String value) {
        return new Cell(question.getName(), contestant, Map.of(param, value));
    }
}
