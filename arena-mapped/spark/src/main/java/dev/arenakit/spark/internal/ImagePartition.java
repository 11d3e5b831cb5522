package dev.arenakit.spark.internal;

import java.util.List;
import org.apache.spark.sql.connector.read.InputPartition;

/// The structs that one task reads.
record ImagePartition(List<ImageSlice> slices) implements InputPartition {}
