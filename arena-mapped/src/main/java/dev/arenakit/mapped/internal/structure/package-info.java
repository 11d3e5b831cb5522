/// Structures that are stored in images: their formats, and what reads and changes them.
@NullMarked
package dev.arenakit.mapped.internal.structure;

import org.jspecify.annotations.NullMarked;
