/// The `arena` command.
@NullMarked
package dev.arenakit.tool;

import org.jspecify.annotations.NullMarked;
