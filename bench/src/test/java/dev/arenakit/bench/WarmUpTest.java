package dev.arenakit.bench;

import dev.arenakit.bench.Suite.Iterations;
import dev.arenakit.bench.report.Cell;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.RunnerException;

import static org.assertj.core.api.Assertions.assertThat;

class WarmUpTest {
    private static final Cell MINE = new Cell("com.acme.Sorting", "mine", Map.of());
    private static final Cell OTHER = new Cell("com.acme.Sorting", "other", Map.of());

    private final List<Integer> repeated = new ArrayList<>();
    private final WarmUp warmUp = new WarmUp(new Iterations(3, Duration.ofMillis(500)), (_, length) -> repeated.add(
            length.count()));

    @Test
    void steadyFork_runsOnce() throws Exception {
        assertThat(lengths(MINE, 3)).containsExactly(3);
        assertThat(repeated).isEmpty();
    }

    @Test
    void forkThatNeedsLonger_runsAgainAndLaterForksBeginThere() throws Exception {
        assertThat(lengths(MINE, 10)).containsExactly(3, 6, 12);
        assertThat(repeated).containsExactly(6, 12);
        assertThat(lengths(MINE, 10)).containsExactly(12);
        assertThat(lengths(OTHER, 3)).containsExactly(3);
        assertThat(lengths(MINE, 13)).containsExactly(12, 24);
    }

    @Test
    void forkThatIsNeverSteady_endsAtFifteenSecondsAndIsNotTriedAgain() throws Exception {
        assertThat(lengths(MINE, 1_000)).containsExactly(3, 6, 12, 24, 30);
        assertThat(lengths(MINE, 1_000)).containsExactly(3);
    }

    @Test
    void warmUpBeyondFifteenSeconds_isNotProlonged() throws Exception {
        WarmUp slow = new WarmUp(new Iterations(2, Duration.ofSeconds(20)), (_, _) -> repeated.add(0));

        assertThat(slow.run(MINE, Iterations::count, _ -> false)).isEqualTo(2);
        assertThat(repeated).isEmpty();
    }

    /// Runs a fork that is steady from so many iterations on, and returns the lengths that were tried.
    private List<Integer> lengths(Cell cell, int enough) throws IOException, RunnerException {
        List<Integer> tried = new ArrayList<>();
        warmUp.run(cell, length -> {
            tried.add(length.count());
            return length.count();
        }, count -> count >= enough);
        return tried;
    }
}
