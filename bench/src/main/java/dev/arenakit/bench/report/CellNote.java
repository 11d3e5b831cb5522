package dev.arenakit.bench.report;

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
        /// This machine lacks something that the candidate needs.
        NOT_AVAILABLE,

        /// The benchmark threw.
        FAILED,

        /// The candidate does not give memory back.
        LEAKS,

        /// The candidate's arenas fail tests of the contract. The figure is still measured.
        BREAKS_THE_CONTRACT,

        /// The time or the garbage of an operation still changed while it was measured.
        NOT_STEADY;

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
        return kind == Kind.BREAKS_THE_CONTRACT || kind == Kind.NOT_STEADY;
    }

    /// {@return whether something is wrong with the candidate; false if the machine lacks something, or if the warm-up
    /// takes long}
    public boolean isFailure() {
        return kind != Kind.NOT_AVAILABLE && kind != Kind.NOT_STEADY;
    }

    /// {@return a mark after the name of the candidate in the table for the terminal}
    String mark() {
        return switch (kind) {
            case BREAKS_THE_CONTRACT -> " (!)";
            case NOT_STEADY -> " (not steady)";
            case NOT_AVAILABLE, FAILED, LEAKS -> "";
        };
    }

    /// {@return kind and reason in one line}
    public String describe() {
        return why.isBlank() ? kind.toString() : kind + ": " + why.strip().replaceAll("\\s*\\R\\s*", "; ");
    }
}
