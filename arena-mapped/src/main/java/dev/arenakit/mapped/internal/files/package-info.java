/// The files of an image: paths, modes, trust, identity, the limit of mappings, and exceptions.
@NullMarked
package dev.arenakit.mapped.internal.files;

import org.jspecify.annotations.NullMarked;
