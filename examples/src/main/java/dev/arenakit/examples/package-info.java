/// Programs that show how to use the arenas. Each of them can be run, and a test compares its output.
@NullMarked
package dev.arenakit.examples;

import org.jspecify.annotations.NullMarked;
