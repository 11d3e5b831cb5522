package dev.arenakit.collection;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Runs seeded random operations on a structure and on its model. If they differ, the operations are reduced to a few
/// operations that still show a difference, and the failure lists these.
///
/// @param <O> an operation
public final class OperationModel<O> {
    /// A structure and its model.
    public interface Subject<O> extends AutoCloseable {
        /// Applies an operation to structure and model, and asserts that they agree.
        void apply(O operation);

        /// Asserts that all contents agree.
        void check();

        @Override
        void close();
    }

    /// Creates random operations.
    public interface Generator<O> {
        O next(Random random);
    }

    private final Supplier<? extends Subject<O>> subjects;

    public OperationModel(Supplier<? extends Subject<O>> subjects) {
        this.subjects = subjects;
    }

    /// Runs operations, and then checks all contents.
    public void run(long seed, int count, Generator<O> generator) {
        Random random = new Random(seed);
        List<O> operations = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            operations.add(generator.next(random));
        }
        Throwable failure = failure(operations);
        if (failure != null) {
            List<O> few = shrink(operations);
            throw new AssertionError("seed=" + seed + ", operations=" + few, failure(few));
        }
    }

    private @Nullable Throwable failure(List<O> operations) {
        try (Subject<O> subject = subjects.get()) {
            operations.forEach(subject::apply);
            subject.check();
            return null;
        } catch (AssertionError | RuntimeException e) {
            return e;
        }
    }

    /// Removes as many operations as possible, in ever smaller pieces, as long as the rest still fails.
    private List<O> shrink(List<O> operations) {
        List<O> failing = operations;
        for (int piece = failing.size() / 2; piece > 0; piece /= 2) {
            for (int from = 0; from < failing.size();) {
                List<O> fewer = new ArrayList<>(failing.subList(0, from));
                fewer.addAll(failing.subList(Math.min(from + piece, failing.size()), failing.size()));
                if (failure(fewer) != null) {
                    failing = fewer;
                } else {
                    from += piece;
                }
            }
        }
        return failing;
    }
}
