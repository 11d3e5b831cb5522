/// The blocks of arenas over malloc: their headers, and the registries that free and resize single blocks.
@NullMarked
package dev.arenakit.internal.malloc;

import org.jspecify.annotations.NullMarked;
