package dev.arenakit.spark.internal;

/// A test of a row of the current batch.
@FunctionalInterface
interface RowFilter {
    boolean accepts(int row);
}
