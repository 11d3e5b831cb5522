/// What a program can find out about its off-heap memory, and how it limits it: budgets and statistics, and the errors
/// in its use, in tests and on a bad day: arenas that nobody closes, overruns, late accesses, and behavior when memory
/// is refused.
@NullMarked
package dev.arenakit.diagnostics;

import org.jspecify.annotations.NullMarked;
