/// The `arena copy` command.
@NullMarked
package dev.arenakit.tool.copy;

import org.jspecify.annotations.NullMarked;
