/// Memory that several threads, or several processes, use at once: ring buffers for messages, and a lock for a struct.
@NullMarked
package dev.arenakit.collection.concurrent;

import org.jspecify.annotations.NullMarked;
