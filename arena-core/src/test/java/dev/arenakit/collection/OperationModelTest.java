package dev.arenakit.collection;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

class OperationModelTest {
    /// Fails when a 3 follows an earlier 7.
    private static final class Planted implements OperationModel.Subject<Integer> {
        private boolean isArmed;

        @Override
        public void apply(Integer operation) {
            isArmed |= operation == 7;
            if (isArmed && operation == 3) {
                throw new AssertionError("planted");
            }
        }

        @Override
        public void check() {}

        @Override
        public void close() {}
    }

    @Test
    void run_defectOfTwoOperations_namesThemAlone() {
        assertThatThrownBy(() -> new OperationModel<Integer>(Planted::new).run(1, 1000, random -> random.nextInt(50)))
                .isInstanceOf(AssertionError.class)
                .hasMessage("seed=1, operations=[7, 3]")
                .hasRootCauseMessage("planted");
    }
}
