/// The parts that all generated classes and their mappers share: definition, templates, cache, and messages.
@NullMarked
package dev.arenakit.internal.layout.emit;

import org.jspecify.annotations.NullMarked;
