/// The `arena generate-completion` command.
@NullMarked
package dev.arenakit.tool.completion;

import org.jspecify.annotations.NullMarked;
