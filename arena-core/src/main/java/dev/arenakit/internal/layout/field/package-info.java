/// Fields of structs: their paths, and the classes that are generated to access them.
@NullMarked
package dev.arenakit.internal.layout.field;

import org.jspecify.annotations.NullMarked;
