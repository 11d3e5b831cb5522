/// The main class of arena.jar, for any Java from 11: finds the one that the command needs.
@NullMarked
package dev.arenakit.launcher;

import org.jspecify.annotations.NullMarked;
