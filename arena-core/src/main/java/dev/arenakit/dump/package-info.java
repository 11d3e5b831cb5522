/// Prints the contents of a segment, a file or a stream as text, either in the format of `hexdump -C` or as structs
/// with their fields.
@NullMarked
package dev.arenakit.dump;

import org.jspecify.annotations.NullMarked;
