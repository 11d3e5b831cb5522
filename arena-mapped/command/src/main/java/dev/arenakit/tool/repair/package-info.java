/// The `arena repair` command.
@NullMarked
package dev.arenakit.tool.repair;

import org.jspecify.annotations.NullMarked;
