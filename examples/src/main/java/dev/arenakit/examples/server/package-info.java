/// A server whose requests have their memory in arenas of one pool: requests that are abandoned, that wait for memory,
/// that change threads, and that are in progress when the server stops.
@NullMarked
package dev.arenakit.examples.server;

import org.jspecify.annotations.NullMarked;
