/// The budgets behind `dev.arenakit.diagnostics`, and the arenas that they count.
@NullMarked
package dev.arenakit.internal.diagnostics;

import org.jspecify.annotations.NullMarked;
