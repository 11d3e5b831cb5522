/// The compared stores: maps and trees whose entries survive the end of the process, of each library in a class of its
/// own, and structures in memory beside them.
///
/// A library takes part by an implementation of [StoredLongMap], [StoredRecordMap] or [StoredTree]. Each is in the
/// durability that the library usually has.
@NullMarked
package dev.arenakit.bench.candidate.stored;

import org.jspecify.annotations.NullMarked;
