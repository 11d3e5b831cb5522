/// What was measured, as numbers, table and chart. Knows JMH's result format and nothing of the benchmarks.
@NullMarked
package dev.arenakit.bench.report;

import org.jspecify.annotations.NullMarked;
