/// A JUnit extension for tests of programs that use arenas: [NoLeaks][dev.arenakit.junit.NoLeaks].
@NullMarked
package dev.arenakit.junit;

import org.jspecify.annotations.NullMarked;
