/// The parts that all generated classes share: their definition, their templates, and the checks of segments.
@NullMarked
package dev.arenakit.internal.layout.emit;

import org.jspecify.annotations.NullMarked;
