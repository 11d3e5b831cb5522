/// Prints struct types as text, parses them from text, and writes C headers that declare them.
@NullMarked
package dev.arenakit.layout.text;

import org.jspecify.annotations.NullMarked;
