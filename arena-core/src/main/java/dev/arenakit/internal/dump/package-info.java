/// Prints bytes in hexadecimal, and decodes structs and prints their values, for `dev.arenakit.dump`.
@NullMarked
package dev.arenakit.internal.dump;

import org.jspecify.annotations.NullMarked;
