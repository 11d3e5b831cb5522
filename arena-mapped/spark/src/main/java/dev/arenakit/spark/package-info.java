/// Images as a data source of Apache Spark, with the short name `arenakit`.
@NullMarked
package dev.arenakit.spark;

import org.jspecify.annotations.NullMarked;
