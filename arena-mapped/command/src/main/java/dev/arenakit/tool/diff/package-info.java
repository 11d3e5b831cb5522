/// The `arena diff` command.
@NullMarked
package dev.arenakit.tool.diff;

import org.jspecify.annotations.NullMarked;
