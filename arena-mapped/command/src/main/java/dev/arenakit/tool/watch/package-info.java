/// The `arena watch` command.
@NullMarked
package dev.arenakit.tool.watch;

import org.jspecify.annotations.NullMarked;
