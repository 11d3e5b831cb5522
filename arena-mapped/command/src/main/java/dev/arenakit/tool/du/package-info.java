/// The `arena du` command.
@NullMarked
package dev.arenakit.tool.du;

import org.jspecify.annotations.NullMarked;
