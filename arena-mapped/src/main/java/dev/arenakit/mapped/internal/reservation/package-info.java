/// The disk space of data files: reserved blocks, growth, and holes.
@NullMarked
package dev.arenakit.mapped.internal.reservation;

import org.jspecify.annotations.NullMarked;
