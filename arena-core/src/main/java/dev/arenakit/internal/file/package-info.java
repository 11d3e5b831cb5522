/// Files by system calls: locks, extents, mappings that nobody owns, and reading without a cache.
@NullMarked
package dev.arenakit.internal.file;

import org.jspecify.annotations.NullMarked;
