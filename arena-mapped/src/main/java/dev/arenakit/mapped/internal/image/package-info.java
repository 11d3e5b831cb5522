/// Images that are opened by an arena, read, checked, copied, repaired, sealed or deleted.
@NullMarked
package dev.arenakit.mapped.internal.image;

import org.jspecify.annotations.NullMarked;
