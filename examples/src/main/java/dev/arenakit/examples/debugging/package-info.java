/// Programs with a bug each, which `docs/debugging.md` and `docs/growth.md` find.
@NullMarked
package dev.arenakit.examples.debugging;

import org.jspecify.annotations.NullMarked;
