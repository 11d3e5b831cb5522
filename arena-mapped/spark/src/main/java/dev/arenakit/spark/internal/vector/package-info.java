/// The columns of a batch of structs, as vectors of Spark.
@NullMarked
package dev.arenakit.spark.internal.vector;

import org.jspecify.annotations.NullMarked;
