/// Classes that break the rules, each in one way.
@NullMarked
package dev.arenakit.walls.planted;

import org.jspecify.annotations.NullMarked;
