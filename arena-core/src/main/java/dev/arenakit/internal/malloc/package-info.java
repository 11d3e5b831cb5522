/// The blocks of arenas over malloc: their headers, and the registries of live blocks.
@NullMarked
package dev.arenakit.internal.malloc;

import org.jspecify.annotations.NullMarked;
