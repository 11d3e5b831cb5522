/// Hash indexes of entries whose keys are bytes, for the maps in `dev.arenakit.collection`.
@NullMarked
package dev.arenakit.internal.collection.bytes;

import org.jspecify.annotations.NullMarked;
