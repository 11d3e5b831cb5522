/// The `arena find` command.
@NullMarked
package dev.arenakit.tool.find;

import org.jspecify.annotations.NullMarked;
