/// Plans the partitions of queries over images, and reads them as batches of columns.
@NullMarked
package dev.arenakit.spark.internal;

import org.jspecify.annotations.NullMarked;
