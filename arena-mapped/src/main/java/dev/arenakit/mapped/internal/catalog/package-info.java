/// The catalog of an image: its format, its writer and its readers.
@NullMarked
package dev.arenakit.mapped.internal.catalog;

import org.jspecify.annotations.NullMarked;
