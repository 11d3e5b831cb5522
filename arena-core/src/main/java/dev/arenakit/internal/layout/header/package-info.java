/// The parser of C headers.
@NullMarked
package dev.arenakit.internal.layout.header;

import org.jspecify.annotations.NullMarked;
