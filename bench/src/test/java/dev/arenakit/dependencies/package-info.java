/// The rules for dependencies between modules and packages, and for native calls. Each rule is also run on classes that
/// violate it, which are planted in this package.
@NullMarked
package dev.arenakit.dependencies;

import org.jspecify.annotations.NullMarked;
