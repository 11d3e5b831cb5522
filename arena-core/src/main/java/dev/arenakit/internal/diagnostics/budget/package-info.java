/// The budgets behind `dev.arenakit.diagnostics`, and the arenas that they count.
@NullMarked
package dev.arenakit.internal.diagnostics.budget;

import org.jspecify.annotations.NullMarked;
