/// Runs the contract of every arena on the arenas of a provider. Only this package of the harness needs JUnit and the
/// tests of arena-core.
@NullMarked
package dev.arenakit.bench.contract;

import org.jspecify.annotations.NullMarked;
