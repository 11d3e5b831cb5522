/// The `arena show` command.
@NullMarked
package dev.arenakit.tool.show;

import org.jspecify.annotations.NullMarked;
