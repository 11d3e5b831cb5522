/// Files by system calls: locks, extents, and mappings by address.
@NullMarked
package dev.arenakit.internal.file;

import org.jspecify.annotations.NullMarked;
