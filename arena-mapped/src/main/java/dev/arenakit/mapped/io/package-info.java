/// Access to files of any size: transfers between memory and files, sparse files, and windows that are mapped.
///
/// [dev.arenakit.mapped.io.SegmentReader] and [dev.arenakit.mapped.io.SegmentWriter] transfer memory segments,
/// [dev.arenakit.mapped.io.SparseFile] reads a sparse file and skips its holes, and
/// [dev.arenakit.mapped.io.MappedWindows] maps parts of a file when they are needed.
@NullMarked
package dev.arenakit.mapped.io;

import org.jspecify.annotations.NullMarked;
