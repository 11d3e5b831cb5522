/// The code of the README, and of the pages about arenas, structs and images.
@NullMarked
package dev.arenakit.examples.readme;

import org.jspecify.annotations.NullMarked;
