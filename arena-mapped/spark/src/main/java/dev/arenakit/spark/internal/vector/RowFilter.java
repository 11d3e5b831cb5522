package dev.arenakit.spark.internal.vector;

/// A test of a row of the current batch.
@FunctionalInterface
public interface RowFilter {
    boolean accepts(int row);
}
