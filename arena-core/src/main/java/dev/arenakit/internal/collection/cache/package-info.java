/// The shards of a cache for threads: entries, expiry, counts, removal notices, and the loads in progress.
@NullMarked
package dev.arenakit.internal.collection.cache;

import org.jspecify.annotations.NullMarked;
