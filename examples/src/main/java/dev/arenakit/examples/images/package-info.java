/// Images that processes leave when they are killed: rows, structures, and a full disk.
@NullMarked
package dev.arenakit.examples.images;

import org.jspecify.annotations.NullMarked;
