/// Classes that the rules allow, and classes that violate them, each in one way.
@NullMarked
package dev.arenakit.testing.planted;

import org.jspecify.annotations.NullMarked;
