/// Declarations of structs: reads records, views, enums and their annotations.
@NullMarked
package dev.arenakit.internal.layout.declaration;

import org.jspecify.annotations.NullMarked;
