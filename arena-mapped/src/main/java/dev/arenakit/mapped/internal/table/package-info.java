/// The hash tables of structures in images: their format, and what reads, changes and repairs them.
@NullMarked
package dev.arenakit.mapped.internal.table;

import org.jspecify.annotations.NullMarked;
