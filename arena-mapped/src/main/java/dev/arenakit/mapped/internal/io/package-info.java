/// The mappings behind windows, and the transfers behind readers and writers of segments.
@NullMarked
package dev.arenakit.mapped.internal.io;

import org.jspecify.annotations.NullMarked;
