/// The locks of an image, which give it at most one owner.
@NullMarked
package dev.arenakit.mapped.internal.locks;

import org.jspecify.annotations.NullMarked;
