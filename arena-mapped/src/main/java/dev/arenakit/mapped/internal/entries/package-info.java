/// Reads and checks the entries of structures by their bytes, without mapping them.
@NullMarked
package dev.arenakit.mapped.internal.entries;

import org.jspecify.annotations.NullMarked;
