/// Tables, indexes and sorts in off-heap memory, from which the collections in `dev.arenakit.collection` are built.
@NullMarked
package dev.arenakit.internal.collection;

import org.jspecify.annotations.NullMarked;
