package dev.arenakit.bench;

import dev.arenakit.bench.Suite.Iterations;
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
    private static final List<String> SIZES = List.of("16", "64", "256", "1024", "4096", "65536", "1048576");
    private static final List<String> PLANS = List.of("1x32", "10x32", "100x16..512");

    static final List<Suite> ALL = List.of(demo(), targets());

    private Suites() {}

    private static Suite demo() {
        List<Cell> cells = Stream.of(
                cells(OneBlock.class, "byteSize", List.of("64"), "ofConfined", "mallocArena", "slabArena",
                        "slabArenaUnzeroed"),
                cells(OneBlock.class, "byteSize", List.of("65536"), "ofConfined", "mallocArena"),
                cells(Session.class, "plan", List.of("10x32", "100x16..512"), "ofConfined", "mallocArena", "slabArena",
                        "slabArenaUnzeroed"))
                .flatMap(List::stream)
                .toList();
        return new Suite("demo", "The arenas against Arena.ofConfined, in a minute", 1,
                new Iterations(2, Duration.ofMillis(400)), new Iterations(4, Duration.ofMillis(300)), cells, List.of(),
                false);
    }

    private static Suite targets() {
        List<Cell> cells = Stream.of(
                cells(OneBlock.class, "byteSize", SIZES, "ofConfined", "mallocArena"),
                cells(OneBlockFilled.class, "byteSize", SIZES, "ofConfined", "mallocArena"),
                cells(Session.class, "plan", PLANS, "ofConfined", "mallocArena", "slabArena", "slabArenaUnzeroed",
                        "slabArenaBounded"))
                .flatMap(List::stream)
                .toList();
        List<Target> targets = List.of(
                faster(6, session("slabArenaUnzeroed", "1x32")),
                faster(18, session("slabArenaUnzeroed", "10x32")),
                faster(20, session("slabArenaUnzeroed", "100x16..512")),
                faster(3.5, session("slabArena", "1x32")),
                faster(9, session("slabArena", "10x32")),
                faster(5, session("slabArena", "100x16..512")),
                faster(3, session("slabArenaBounded", "1x32")),
                faster(15, session("slabArenaBounded", "10x32")),
                faster(2.5, mallocOneBlock("16")),
                faster(2.5, mallocOneBlock("64")),
                faster(2.5, mallocOneBlock("256")),
                faster(2.5, mallocOneBlock("1024")),
                faster(12, mallocOneBlock("65536")),
                faster(150, mallocOneBlock("1048576")),
                faster(2, session("mallocArena", "10x32")));
        return new Suite("targets", "What is asked of the arenas, and what they do", 5,
                new Iterations(3, Duration.ofSeconds(1)), new Iterations(3, Duration.ofSeconds(1)), cells, targets,
                true);
    }

    /// All contestants for the first value of the parameter, then for the next: what is compared runs close together.
    private static List<Cell> cells(Class<?> question, String param, List<String> values, String... contestants) {
        return values.stream()
                .flatMap(value -> Stream.of(contestants).map(contestant -> cell(question, contestant, param, value)))
                .toList();
    }

    private static Target faster(double times, Cell cell) {
        return new Target(cell, Cell.BASELINE, times, true);
    }

    private static Cell session(String contestant, String plan) {
        return cell(Session.class, contestant, "plan", plan);
    }

    private static Cell mallocOneBlock(String byteSize) {
        return cell(OneBlock.class, "mallocArena", "byteSize", byteSize);
    }

    private static Cell cell(Class<?> question, String contestant, String param, String value) {
        return new Cell(question.getName(), contestant, Map.of(param, value));
    }
}
