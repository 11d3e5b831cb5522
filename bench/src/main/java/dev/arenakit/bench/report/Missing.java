package dev.arenakit.bench.report;

import com.google.gson.annotations.SerializedName;
import java.util.Locale;
import java.util.Objects;

/// A cell that has no figure, or one that is not to be trusted, and the reason.
///
/// @param cell who was to answer what
/// @param why  a line for people
/// @param kind what went wrong
public record Missing(Cell cell, String why, Kind kind) {
    /// What went wrong with a cell.
    public enum Kind {
        /// This machine lacks what the contestant needs.
        @SerializedName("not available")
        NOT_AVAILABLE,

        /// The benchmark threw.
        @SerializedName("failed")
        FAILED,

        /// The contestant keeps what it should give back.
        @SerializedName("leaks")
        LEAKS;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /// Refuses null, which a damaged file could hold.
    public Missing {
        Objects.requireNonNull(cell, "cell");
        Objects.requireNonNull(why, "why");
        Objects.requireNonNull(kind, "kind");
    }

    /// {@return kind and reason in one line}
    public String describe() {
        return why.isBlank() ? kind.toString() : kind + ": " + why.strip().replaceAll("\\s*\\R\\s*", "; ");
    }
}
