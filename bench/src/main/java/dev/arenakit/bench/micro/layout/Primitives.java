package dev.arenakit.bench.micro.layout;

import java.io.Serial;
import java.io.Serializable;

/// One value of each primitive type.
interface Primitives {
    /// {@return the sum of all values, so that every value has to be read}
    double sum();

    /// As a class.
    final class OfClass implements Primitives, Serializable {
        @Serial
        private static final long serialVersionUID = 1;

        private final boolean flag;
        private final byte tiny;
        private final short small;
        private final char letter;
        private final int number;
        private final float real;
        private final long large;
        private final double precise;

        OfClass(OfRecord values) {
            flag = values.flag;
            tiny = values.tiny;
            small = values.small;
            letter = values.letter;
            number = values.number;
            real = values.real;
            large = values.large;
            precise = values.precise;
        }

        @Override
        public double sum() {
            return (flag ? 1 : 0) + tiny + small + letter + number + real + large + precise;
        }
    }

    /// As a record.
    record OfRecord(boolean flag, byte tiny, short small, char letter, int number, float real, long large,
            double precise) implements Primitives, Serializable {
        @Override
        public double sum() {
            return (flag ? 1 : 0) + tiny + small + letter + number + real + large + precise;
        }
    }
}
