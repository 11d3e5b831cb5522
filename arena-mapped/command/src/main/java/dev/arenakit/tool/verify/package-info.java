/// The `arena verify` command.
@NullMarked
package dev.arenakit.tool.verify;

import org.jspecify.annotations.NullMarked;
