/// A forgotten close, and how leak detection finds it.
@NullMarked
package dev.arenakit.examples.leaks;

import org.jspecify.annotations.NullMarked;
