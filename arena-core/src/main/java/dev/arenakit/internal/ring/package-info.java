/// The ring buffer of `dev.arenakit.collection`: its format, its header, and what its producers and its reader do.
@NullMarked
package dev.arenakit.internal.ring;

import org.jspecify.annotations.NullMarked;
