package dev.arenakit.bench.report;

import com.google.gson.annotations.SerializedName;
import java.util.Locale;
import java.util.Objects;

/// A remark on a cell that has no figure, or a figure that is not to be trusted.
///
/// @param cell the cell
/// @param why  the reason, in one line
/// @param kind the kind of problem
public record CellNote(Cell cell, String why, Kind kind) {
    /// The kind of problem with a cell.
    public enum Kind {
        /// This machine lacks what the candidate needs.
        @SerializedName("not available")
        NOT_AVAILABLE,

        /// The benchmark threw.
        @SerializedName("failed")
        FAILED,

        /// The candidate does not give memory back.
        @SerializedName("leaks")
        LEAKS,

        /// The candidate's arenas fail tests of the contract. The figure is still measured.
        @SerializedName("breaks the contract")
        BREAKS_THE_CONTRACT;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /// Rejects null, which a damaged file could contain.
    public CellNote {
        Objects.requireNonNull(cell, "cell");
        Objects.requireNonNull(why, "why");
        Objects.requireNonNull(kind, "kind");
    }

    /// {@return whether the cell was measured nevertheless}
    public boolean isMeasured() {
        return kind == Kind.BREAKS_THE_CONTRACT;
    }

    /// {@return kind and reason in one line}
    public String describe() {
        return why.isBlank() ? kind.toString() : kind + ": " + why.strip().replaceAll("\\s*\\R\\s*", "; ");
    }
}
