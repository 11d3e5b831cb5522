/// The contract's suite on the JDK's arenas, which pass it, and on arenas that were broken for it, which fail.
@NullMarked
package dev.arenakit.contracttest;

import org.jspecify.annotations.NullMarked;
