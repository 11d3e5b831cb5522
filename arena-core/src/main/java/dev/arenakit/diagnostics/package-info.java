/// What a program can find out about its off-heap memory, and how it limits it: budgets and statistics.
@NullMarked
package dev.arenakit.diagnostics;

import org.jspecify.annotations.NullMarked;
