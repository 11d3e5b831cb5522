/// The main class of arena.jar. It runs on any Java from 11, and finds the Java that the command needs.
@NullMarked
package dev.arenakit.launcher;

import org.jspecify.annotations.NullMarked;
