/// The words of a zip file, counted into an image by a process that is killed, and continued by another one.
@NullMarked
package dev.arenakit.examples.words;

import org.jspecify.annotations.NullMarked;
