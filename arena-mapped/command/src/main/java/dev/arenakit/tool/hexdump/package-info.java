/// The `arena hexdump` command.
@NullMarked
package dev.arenakit.tool.hexdump;

import org.jspecify.annotations.NullMarked;
