/// The scopes of arenas: segments in a scope, its checks, and its end.
@NullMarked
package dev.arenakit.internal.scope;

import org.jspecify.annotations.NullMarked;
