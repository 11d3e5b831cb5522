/// Packages whose dependencies the tests allow and forbid.
@NullMarked
package dev.arenakit.testing.planted;

import org.jspecify.annotations.NullMarked;
