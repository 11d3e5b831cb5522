/// The `arena import` command.
@NullMarked
package dev.arenakit.tool.importing;

import org.jspecify.annotations.NullMarked;
