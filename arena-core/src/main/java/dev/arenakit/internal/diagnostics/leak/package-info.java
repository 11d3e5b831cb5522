/// The arenas that are watched for leaks, and the reports of leaks.
@NullMarked
package dev.arenakit.internal.diagnostics.leak;

import org.jspecify.annotations.NullMarked;
