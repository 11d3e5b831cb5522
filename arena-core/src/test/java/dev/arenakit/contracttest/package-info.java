/// Tests of the contract's suite: the arenas of the JDK pass it, and faulty arenas fail it.
@NullMarked
package dev.arenakit.contracttest;

import org.jspecify.annotations.NullMarked;
