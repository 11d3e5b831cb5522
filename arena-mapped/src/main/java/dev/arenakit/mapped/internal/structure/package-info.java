/// What all structures in images have in common: their header, their memory and their life.
@NullMarked
package dev.arenakit.mapped.internal.structure;

import org.jspecify.annotations.NullMarked;
