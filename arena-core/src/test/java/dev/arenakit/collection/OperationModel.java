package dev.arenakit.collection;

import java.util.Random;
import java.util.function.Supplier;

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
        ByteModel.check(seed, count, generator::next, operations -> {
            try (Subject<O> subject = subjects.get()) {
                operations.forEach(subject::apply);
                subject.check();
            }
        });
    }
}
