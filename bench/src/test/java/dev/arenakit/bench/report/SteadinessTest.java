package dev.arenakit.bench.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Most of these figures were recorded on a busy machine, with a warm-up of 180 ms.
class SteadinessTest {
    private static final Fork COLD = fork(new double[]{77112, 228213, 34135, 50120, 20800, 15051},
            new double[]{14513.1, 11792.9, 6789.1, 3840.0, 3484.3, 3689.7},
            new double[]{8897.9, 8903.3, 5676.3, 4888.2, 4886.3, 4882.8});
    private static final Fork WARM = fork(new double[]{30, 36, 30, 28, 33, 40},
            new double[]{19.7, 19.8, 19.6, 19.8, 20.0, 29.5}, new double[]{0, 0, 0, 0, 0, 0});

    @Test
    void fork_thatIsStillCompiled_isNotSteady() {
        assertThat(Steadiness.isSteady(COLD)).isFalse();
        assertThat(notes(COLD)).containsExactly("not steady: CPU time changed by -73 % while it was measured");
    }

    @Test
    void fork_whoseMachineIsBusyAtTheEnd_isSteady() {
        assertThat(Steadiness.isSteady(WARM)).isTrue();
    }

    @Test
    void fork_thatDriftsInWallTimeAlone_isSteadyIfCpuTimeWasMeasured() {
        double[] slower = {100, 101, 110, 120, 130, 131};

        assertThat(Steadiness.isSteady(fork(slower, new double[]{20, 20.1, 20, 20.1, 20, 20.1}, new double[]{})))
                .isTrue();
        assertThat(notes(fork(slower, new double[]{}, new double[]{})))
                .containsExactly("not steady: time changed by +30 % while it was measured");
    }

    @Test
    void fork_whoseWorkIsThatOfOtherThreads_isJudgedByTheTimeThatPasses() {
        List<Double> waiting = List.of(2.0, 2.0, 1.5, 1.5, 1.0, 1.0);
        Map<Metric, List<Double>> library = Map.of(Metric.CPU, waiting, Metric.PROCESS_CPU, List.of(90.0));
        Map<Metric, List<Double>> own = Map.of(Metric.CPU, waiting, Metric.PROCESS_CPU, List.of(2.9));

        assertThat(notes(new Fork(0, Collections.nCopies(6, 90.0), library))).isEmpty();
        assertThat(notes(new Fork(0, List.of(90.0, 91.0, 95.0, 96.0, 100.0, 101.0), library)))
                .containsExactly("not steady: time changed by +11 % while it was measured");
        assertThat(notes(new Fork(0, Collections.nCopies(6, 90.0), own)))
                .containsExactly("not steady: CPU time changed by -50 % while it was measured");
    }

    @Test
    void fork_whoseGarbageChanges_isNotSteady() {
        double[] same = {20, 20.1, 20, 20.1, 20, 20.1};

        assertThat(notes(fork(same, same, new double[]{128.1, 128.2, 56, 56, 0, 0}))).containsExactly(
                "not steady: garbage changed by -100 % while it was measured");
        assertThat(notes(fork(same, same, new double[]{0, 0, 0, 24, 24, 24}))).containsExactly(
                "not steady: garbage grew to 24.0 while it was measured");
        assertThat(notes(fork(same, same, new double[]{0.1, 0.1, 0.1, 0.9, 0.9, 0.9}))).isEmpty();
    }

    @Test
    void garbageOfJmhItself_doesNotCountForLongOperations() {
        double[] tenMillis = {1e7, 1.01e7, 1e7, 1.01e7, 1e7, 1.01e7};
        double[] bytes = {4200, 4210, 4200, 300, 310, 300};

        assertThat(notes(fork(tenMillis, tenMillis, bytes))).isEmpty();
        assertThat(notes(fork(new double[]{1e5, 1e5, 1e5, 1e5, 1e5, 1e5}, new double[]{}, bytes))).hasSize(1);
    }

    @Test
    void fork_whoseWarmUpDidNotSuffice_isNotSteady() {
        assertThat(notes(new Fork(0, Collections.nCopies(6, 20.0),
                Map.of(Metric.WARM_UP, List.of(15_000.0), Metric.WARM_UP_STEADY,
                        List.of(0.0)))))
                .containsExactly("not steady: time or garbage still changed after a warm-up of 15.0 s");
        assertThat(notes(new Fork(0, Collections.nCopies(6, 20.0),
                Map.of(Metric.WARM_UP, List.of(3_000.0), Metric.WARM_UP_STEADY,
                        List.of(1.0)))))
                .isEmpty();
    }

    @Test
    void fork_ofFewIterations_isNotSteadyEither() {
        assertThat(notes(new Fork(0, List.of(20.0), Map.of(Metric.WARM_UP, List.of(200.0), Metric.WARM_UP_STEADY,
                List.of(0.0)))))
                .containsExactly("not steady: time or garbage still changed after a warm-up of 0.2 s");
    }

    @Test
    void fork_thatDriftsByLessThanThreePercent_isSteady() {
        assertThat(notes(fork(new double[]{100, 100, 101, 101, 102, 102}, new double[]{}, new double[]{}))).isEmpty();
        assertThat(notes(fork(new double[]{100, 100, 102, 102, 104, 104}, new double[]{}, new double[]{}))).hasSize(1);
    }

    @Test
    void fork_ofFiveIterations_isNotJudged() {
        assertThat(notes(fork(new double[]{50, 40, 30, 20, 10}, new double[]{}, new double[]{}))).isEmpty();
    }

    @Test
    void cell_isMarkedIfHalfOfItsForksAreNotSteady() {
        assertThat(notes(COLD, WARM, WARM)).isEmpty();
        assertThat(notes(COLD, WARM)).hasSize(1).first().asString().endsWith(", in 1 of 2 forks");
        assertThat(notes(COLD, COLD, WARM)).hasSize(1).first().asString().endsWith(", in 2 of 3 forks");
    }

    @Test
    void note_isInTheTableAndIsNoFailure() {
        Results results = new Results(List.of(new Measurement(ResultsTest.cell("MallocArena", "64"), List.of(COLD))));
        List<CellNote> notes = Report.notes(results, List.of());

        assertThat(Report.table(results, notes)).contains("MallocArena (not steady) ");
        assertThat(notes).noneMatch(CellNote::isFailure).allMatch(CellNote::isMeasured);
    }

    private static List<String> notes(Fork... forks) {
        List<Fork> all = new ArrayList<>();
        IntStream.range(0, forks.length).forEach(round -> all.add(forks[round].later(round)));
        return Steadiness.notes(new Results(List.of(new Measurement(ResultsTest.cell("MallocArena", "64"), all))))
                .stream()
                .map(CellNote::describe)
                .toList();
    }

    private static Fork fork(double[] nanos, double[] cpuNanos, double[] bytes) {
        return new Fork(0, DoubleStream.of(nanos).boxed().toList(),
                Map.of(Metric.CPU, DoubleStream.of(cpuNanos).boxed().toList(), Metric.BYTES,
                        DoubleStream.of(bytes).boxed().toList()));
    }
}
