/// What the tests of several modules share. It is not published.
@NullMarked
package dev.arenakit.testing;

import org.jspecify.annotations.NullMarked;
