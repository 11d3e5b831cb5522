/// `arena types`.
@NullMarked
package dev.arenakit.tool.types;

import org.jspecify.annotations.NullMarked;
