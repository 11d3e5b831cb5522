/// The harness that measures the arenas: suites as data, run in rounds of one fork, reported as table and chart.
@NullMarked
package dev.arenakit.bench;

import org.jspecify.annotations.NullMarked;
