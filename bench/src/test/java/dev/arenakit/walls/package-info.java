/// The walls of the house: who may depend on whom, and who may call native code. Each rule is also run on classes that
/// break it, planted in this package.
@NullMarked
package dev.arenakit.walls;

import org.jspecify.annotations.NullMarked;
