/// The `arena ls` command.
@NullMarked
package dev.arenakit.tool.ls;

import org.jspecify.annotations.NullMarked;
