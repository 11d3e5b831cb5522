/// Classes that violate the rules, each in one way.
@NullMarked
package dev.arenakit.dependencies.planted;

import org.jspecify.annotations.NullMarked;
