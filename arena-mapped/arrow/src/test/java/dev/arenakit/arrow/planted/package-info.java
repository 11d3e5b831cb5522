/// Packages named like the module's, which use packages that its table of arrows forbids.
@NullMarked
package dev.arenakit.arrow.planted;

import org.jspecify.annotations.NullMarked;
