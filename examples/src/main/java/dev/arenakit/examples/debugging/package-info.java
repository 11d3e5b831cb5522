/// Programs with a bug each, which `docs/debugging.md` finds.
@NullMarked
package dev.arenakit.examples.debugging;

import org.jspecify.annotations.NullMarked;
