/// Programs that show what the arenas are for. Each can be run, and a test compares what it prints.
@NullMarked
package dev.arenakit.examples;

import org.jspecify.annotations.NullMarked;
