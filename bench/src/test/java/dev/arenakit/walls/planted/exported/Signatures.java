package dev.arenakit.walls.planted.exported;

import dev.arenakit.walls.planted.internal.Hidden;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/// Signatures with something hidden in them.
public final class Signatures {
    private Signatures() {}

    /// Returns it.
    public static final class Returned {
        private Returned() {}

        /// {@return it}
        public static Hidden hidden() {
            return new Hidden();
        }
    }

    /// Takes it, in an array.
    public static final class Taken {
        private Taken() {}

        /// {@return their number}
        ///
        /// @param all them
        public static int count(Hidden[] all) {
            return all.length;
        }
    }

    /// Has it in a field for subclasses.
    public static class Inherited {
        /// It.
        protected final Object first = new Object();
        /// It.
        protected final List<Hidden> all = List.of();

        /// Makes one.
        protected Inherited() {}
    }

    /// Throws it.
    public abstract static class Thrown {
        /// Makes one.
        protected Thrown() {}

        /// Throws it.
        ///
        /// @throws Hidden sometimes
        public abstract void run() throws Hidden;
    }

    /// Extends it.
    public static final class Extended extends Hidden {
        private static final long serialVersionUID = 1L;

        private Extended() {}
    }

    /// Implements something of it.
    public abstract static class Implemented implements Supplier<List<Hidden>> {
        /// Makes one.
        protected Implemented() {}
    }

    /// Has a parameter bounded by it.
    ///
    /// @param <T> it
    public abstract static class Bounded<T extends Hidden> {
        /// Makes one.
        protected Bounded() {}
    }

    /// Uses it, but says so to nobody.
    public static final class Unmentioned {
        private final Hidden hidden = new Hidden();

        /// Makes one.
        public Unmentioned() {}

        @Override
        public String toString() {
            return Objects.toString(hidden);
        }

        Hidden hidden() {
            return hidden;
        }
    }
}
