/// Who is measured, doing what: [ArenaProvider] and [Workload], those that come with the harness, and the peers that hand
/// out memory without an arena.
///
/// The two interfaces are services: a jar on the class path that provides some is measured beside the rest.
@NullMarked
package dev.arenakit.bench.contestant;

import org.jspecify.annotations.NullMarked;
