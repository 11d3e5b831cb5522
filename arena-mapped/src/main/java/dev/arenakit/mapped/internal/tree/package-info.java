/// The trees of images: their format, and what reads, changes and checks them.
@NullMarked
package dev.arenakit.mapped.internal.tree;

import org.jspecify.annotations.NullMarked;
