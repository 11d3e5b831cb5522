/// The main class of arena.jar. It runs on any Java from 11, and says which Java the command needs.
@NullMarked
package dev.arenakit.launcher;

import org.jspecify.annotations.NullMarked;
