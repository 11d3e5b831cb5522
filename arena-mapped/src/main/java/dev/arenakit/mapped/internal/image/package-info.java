/// Images that are read, checked, copied, repaired, sealed or deleted.
@NullMarked
package dev.arenakit.mapped.internal.image;

import org.jspecify.annotations.NullMarked;
