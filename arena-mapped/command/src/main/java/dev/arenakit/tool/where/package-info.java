/// Predicates on structs, such as `quantity < 0 && symbol == "ARNA"`, and the search for structs that satisfy them.
@NullMarked
package dev.arenakit.tool.where;

import org.jspecify.annotations.NullMarked;
