/// The blocks of debug arenas, and the files from which a report is written after the process has died.
@NullMarked
package dev.arenakit.internal.diagnostics.debug;

import org.jspecify.annotations.NullMarked;
