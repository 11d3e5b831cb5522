/// Memory that threads and processes share: a counter, a struct, and messages. `docs/shared-memory.md` and
/// `docs/rings.md` describe it.
@NullMarked
package dev.arenakit.examples.shared;

import org.jspecify.annotations.NullMarked;
