/// The events of an allocation trace: how pages are written, and how they are read in the order of time.
@NullMarked
package dev.arenakit.mapped.internal.trace;

import org.jspecify.annotations.NullMarked;
