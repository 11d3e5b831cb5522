/// Native memory and overflow-safe size arithmetic. The package is not exported to users.
@NullMarked
package dev.arenakit.internal;

import org.jspecify.annotations.NullMarked;
