/// Memory that several threads use at once: a cache; and, also for several processes, ring buffers for messages, and a
/// lock for a struct.
@NullMarked
package dev.arenakit.collection.concurrent;

import org.jspecify.annotations.NullMarked;
