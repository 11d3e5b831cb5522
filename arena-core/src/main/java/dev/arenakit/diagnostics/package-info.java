/// Finds errors in the use of off-heap memory, in tests and on a bad day: overruns, late accesses, and behavior when
/// memory is refused.
@NullMarked
package dev.arenakit.diagnostics;

import org.jspecify.annotations.NullMarked;
