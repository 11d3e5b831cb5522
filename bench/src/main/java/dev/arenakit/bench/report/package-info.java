/// The results of a run as tables, charts and files. This package knows JMH's result format, but no benchmark.
@NullMarked
package dev.arenakit.bench.report;

import org.jspecify.annotations.NullMarked;
