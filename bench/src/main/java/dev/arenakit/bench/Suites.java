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
    static final List<Suite> ALL = List.of(demo(), targets());

    private static final List<String> SIZES = List.of("16", "64", "256", "1024", "4096", "65536", "1048576");
    private static final List<String> PLANS = List.of("1x32", "10x32", "100x16..512");

    private Suites() {}

    private static Suite demo() {
        return new Suite("demo", "The arenas against Arena.ofConfined, in a minute", 1,
                new Iterations(2, Duration.ofMillis(400)), new Iterations(4, Duration.ofMillis(300)),
                join(
                        cells(OneBlock.class, "byteSize", List.of("64", "65536"), "ofConfined"),
                        cells(Session.class, "plan", List.of("10x32", "100x16..512"), "ofConfined")),
                List.of(), false);
    }

    private static Suite targets() {
        return new Suite("targets", "What the arenas are asked to be, and what they are", 5,
                new Iterations(3, Duration.ofSeconds(1)), new Iterations(3, Duration.ofSeconds(1)),
                join(
                        cells(OneBlock.class, "byteSize", SIZES, "ofConfined"),
                        cells(OneBlockFilled.class, "byteSize", SIZES, "ofConfined"),
                        cells(Session.class, "plan", PLANS, "ofConfined")),
                List.of(), true);
    }

    /// All contestants for the first value of the parameter, then for the next: what is compared runs close together.
    private static List<Cell> cells(Class<?> question, String param, List<String> values, String... contestants) {
        return values.stream()
                .flatMap(value -> Stream.of(contestants)
                        .map(contestant -> new Cell(question.getName(), contestant, Map.of(param, value))))
                .toList();
    }

    @SafeVarargs
    private static <T> List<T> join(List<T>... lists) {
        return Stream.of(lists).flatMap(List::stream).toList();
    }
}
