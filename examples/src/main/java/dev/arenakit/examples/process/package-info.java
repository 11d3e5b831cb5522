/// What the examples need to start processes: a JVM that is killed, the `arena` command, and a directory for files.
@NullMarked
package dev.arenakit.examples.process;

import org.jspecify.annotations.NullMarked;
