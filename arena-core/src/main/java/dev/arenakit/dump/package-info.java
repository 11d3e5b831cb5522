/// Memory as text: what a segment, a file or a stream holds, in the form of `hexdump -C` or as structs with their fields.
@NullMarked
package dev.arenakit.dump;

import org.jspecify.annotations.NullMarked;
