/// The one room of native calls, scope handling and overflow-safe size arithmetic. Not exported to users.
@NullMarked
package dev.arenakit.internal;

import org.jspecify.annotations.NullMarked;
