/// The `arena seal` command.
@NullMarked
package dev.arenakit.tool.seal;

import org.jspecify.annotations.NullMarked;
