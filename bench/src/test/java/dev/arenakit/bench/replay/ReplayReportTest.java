package dev.arenakit.bench.replay;

import dev.arenakit.bench.micro.arena.Replay;
import dev.arenakit.bench.report.Cell;
import dev.arenakit.bench.report.Measurement;
import dev.arenakit.bench.report.Metric;
import dev.arenakit.bench.report.Results;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// The recommendations for invented figures.
class ReplayReportTest {
    private static final int EVENTS = 100;
    private static final double MIB = 1 << 20;
    private static final Measurement NOTHING = measured("nothing", "", 0, 1, 5, 5, 5);

    /// @param times the times of an event in each fork
    private static Measurement measured(String method, String arena, double refused, double peak, double... times) {
        return new Measurement(new Cell(Replay.class.getName(), method, Map.of(Cell.PROVIDER, arena)), 25,
                DoubleStream.of(times)
                        .mapToObj(time -> new Measurement.Fork(Map.of(Metric.TIME, List.of(1.0), Metric.CPU,
                                List.of(EVENTS * time), Metric.PEAK, List.of(MIB * (peak + time / 1_000)),
                                Metric.REFUSED, List.of(0.0, refused, 0.0), Metric.P99, List.of(77.0), Metric.BYTES,
                                List.of(0.0))))
                        .toList());
    }

    private static String report(Measurement... arenas) {
        ReplayProgram program = new ReplayProgram(List.of(), 1, 1, 0, new BitSet(), List.of(), EVENTS, 2 << 20);
        List<Measurement> all = new ArrayList<>(List.of(arenas));
        all.add(NOTHING);
        return ReplayReport.of(program, new Results(all)).orElseThrow().toString();
    }

    @Test
    void toString_oneIsFaster_namesItWithItsMemoryAndTheNext() {
        assertThat(report(measured("arena", "slow", 0, 2, 30, 31, 32), measured("arena", "fast", 0, 5, 20, 21, 22)))
                .contains("Take fast: 16 ns an event, and 4.02 MiB at the peak; slow takes 1.03 MiB."
                        + "\nThe next one, slow, takes 10 [10..10] ns more an event.", "without the 5.00 ns", "77");
    }

    @Test
    void toString_noDifference_saysSo() {
        assertThat(report(measured("arena", "one", 0, 2, 20, 40, 20), measured("arena", "other", 0, 2, 30, 20, 35)))
                .contains("No difference in time can be shown to other.")
                .doesNotContain("The next one", "least memory");
        assertThat(report(measured("arena", "one", 0, 2, 20, 20), measured("arena", "other", 0, 2, 90, 90)))
                .contains("Fewer than 3 forks show no difference.");
    }

    @Test
    void toString_noDifferenceInTimeButInMemory_takesTheSmallerOne() {
        assertThat(report(measured("arena", "one", 0, 9, 20, 40, 20), measured("arena", "other", 0, 2, 30, 20, 35)))
                .contains("Take other: 25 ns an event, and 1.0",
                        " MiB at the peak.\nNo difference in time can be shown to one.\nIt needs the least memory of these.");
    }

    @Test
    void toString_refusals_areNotRecommended() {
        assertThat(report(measured("arena", "fast", 1, 2, 10, 10, 10), measured("arena", "slow", 0, 2, 20, 21, 20)))
                .contains("Take slow");
        assertThat(report(measured("arena", "fast", 1, 2, 10, 10, 10)))
                .contains("Each arena has refused calls: none can be recommended.");
    }
}
