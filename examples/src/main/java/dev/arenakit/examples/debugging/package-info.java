/// Programs with a bug each, which `docs/debugging.md`, `docs/growth.md` and `docs/native-tools.md` find.
@NullMarked
package dev.arenakit.examples.debugging;

import org.jspecify.annotations.NullMarked;
