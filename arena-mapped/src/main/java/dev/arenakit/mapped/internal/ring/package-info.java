/// The producers and the reader of a ring in a file, and how the death of a producer is found out.
@NullMarked
package dev.arenakit.mapped.internal.ring;

import org.jspecify.annotations.NullMarked;
