/// Runs the contract of every arena on the arenas of a provider. Only this package of the harness needs JUnit and
/// arena-contract.
@NullMarked
package dev.arenakit.bench.contract;

import org.jspecify.annotations.NullMarked;
