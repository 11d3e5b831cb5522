package dev.arenakit.bench;

import dev.arenakit.bench.Suite.Iterations;
import dev.arenakit.bench.report.Cell;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.openjdk.jmh.runner.RunnerException;

/// How long the JVMs of each cell warm up: as long as the suite asks for, and twice as long as before if that was not
/// enough, up to 15 seconds.
///
/// Later JVMs of the cell begin with the length that was enough for the one before. Where no length was enough, the
/// cell is not steady by nature, and later JVMs warm up as the suite asks for, once.
final class WarmUp {
    private static final Duration LONGEST = Duration.ofSeconds(15);

    private final Iterations usual;
    private final BiConsumer<Cell, Iterations> repeated;
    private final Map<Cell, Iterations> enough = new HashMap<>();
    private final Set<Cell> unsteady = new HashSet<>();

    /// One JVM.
    interface Attempt<T> {
        T run(Iterations warmup) throws IOException, RunnerException;
    }

    /// @param repeated is told of each JVM that is run again, and of its warm-up
    WarmUp(Iterations usual, BiConsumer<Cell, Iterations> repeated) {
        this.usual = usual;
        this.repeated = repeated;
    }

    /// Runs a JVM, and runs it again with a longer warm-up until it is steady.
    ///
    /// @return the result of the last JVM
    <T> T run(Cell cell, Attempt<T> attempt, Predicate<T> isSteady) throws IOException, RunnerException {
        Iterations length = enough.getOrDefault(cell, usual);
        T result = attempt.run(length);
        boolean steady = isSteady.test(result);
        while (!steady && !unsteady.contains(cell) && longer(length).count() > length.count()) {
            length = longer(length);
            repeated.accept(cell, length);
            result = attempt.run(length);
            steady = isSteady.test(result);
        }
        if (steady) {
            enough.put(cell, length);
        } else {
            enough.remove(cell);
            unsteady.add(cell);
        }
        return result;
    }

    private static Iterations longer(Iterations length) {
        long most = Math.max(length.count(), LONGEST.toMillis() / length.each().toMillis());
        return new Iterations((int) Math.min(2L * length.count(), most), length.each());
    }
}
