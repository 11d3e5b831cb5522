/// The harness: it runs suites of benchmarks in rounds of one fork, and reports the results as tables and charts.
@NullMarked
package dev.arenakit.bench;

import org.jspecify.annotations.NullMarked;
