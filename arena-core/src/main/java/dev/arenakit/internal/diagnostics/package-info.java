/// The budgets behind `dev.arenakit.diagnostics` and the arenas that they count; the arenas that are watched for leaks;
/// the blocks of debug arenas, and the files from which a report is written after the process has died.
@NullMarked
package dev.arenakit.internal.diagnostics;

import org.jspecify.annotations.NullMarked;
