/// Programs whose allocations are recorded: the traces in `bench/traces` are theirs.
@NullMarked
package dev.arenakit.examples.traces;

import org.jspecify.annotations.NullMarked;
