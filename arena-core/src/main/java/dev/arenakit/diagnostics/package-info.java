/// What finds the mistakes of a program that uses arenas: [LeakDetector][dev.arenakit.diagnostics.LeakDetector] reports
/// arenas that nobody closes.
@NullMarked
package dev.arenakit.diagnostics;

import org.jspecify.annotations.NullMarked;
