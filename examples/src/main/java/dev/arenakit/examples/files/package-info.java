/// Transfers of files, and a sparse file that is read by its extents.
@NullMarked
package dev.arenakit.examples.files;

import org.jspecify.annotations.NullMarked;
