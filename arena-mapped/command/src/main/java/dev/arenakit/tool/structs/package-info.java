/// How commands print structs: the forms, the columns of their fields, and the type that the user may give.
@NullMarked
package dev.arenakit.tool.structs;

import org.jspecify.annotations.NullMarked;
