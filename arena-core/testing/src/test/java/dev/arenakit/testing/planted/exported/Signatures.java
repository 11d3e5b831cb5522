package dev.arenakit.testing.planted.exported;

import dev.arenakit.testing.planted.internal.Hidden;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/// Signatures with a hidden type.
public final class Signatures {
    private Signatures() {}

    /// Returns the hidden type.
    public static final class Returned {
        private Returned() {}

        /// {@return an instance}
        public static Hidden hidden() {
            return new Hidden();
        }
    }

    /// Has an array of the hidden type as a parameter.
    public static final class Taken {
        private Taken() {}

        /// {@return the length}
        ///
        /// @param all an array
        public static int count(Hidden[] all) {
            return all.length;
        }
    }

    /// Has the hidden type in a protected field.
    public static class Inherited {
        /// An object.
        protected final Object first = new Object();
        /// A list of the hidden type.
        protected final List<Hidden> all = List.of();

        /// Creates an instance.
        protected Inherited() {}
    }

    /// Throws the hidden type.
    public abstract static class Thrown {
        /// Creates an instance.
        protected Thrown() {}

        /// Throws the hidden type.
        ///
        /// @throws Hidden sometimes
        public abstract void run() throws Hidden;
    }

    /// Extends the hidden type.
    public static final class Extended extends Hidden {
        private static final long serialVersionUID = 1L;

        private Extended() {}
    }

    /// Implements an interface with the hidden type as an argument.
    public abstract static class Implemented implements Supplier<List<Hidden>> {
        /// Creates an instance.
        protected Implemented() {}
    }

    /// Has a type parameter bounded by the hidden type.
    ///
    /// @param <T> the type parameter
    public abstract static class Bounded<T extends Hidden> {
        /// Creates an instance.
        protected Bounded() {}
    }

    /// Uses the hidden type, but not in a visible signature.
    public static final class Unmentioned {
        private final Hidden hidden = new Hidden();

        /// Creates an instance.
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
