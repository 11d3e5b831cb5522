/// The `arena purge` command.
@NullMarked
package dev.arenakit.tool.purge;

import org.jspecify.annotations.NullMarked;
