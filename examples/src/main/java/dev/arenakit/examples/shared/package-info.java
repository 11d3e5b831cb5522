/// Memory that threads and processes share: a counter, a struct, and messages. `docs/rings.md` describes it.
@NullMarked
package dev.arenakit.examples.shared;

import org.jspecify.annotations.NullMarked;
