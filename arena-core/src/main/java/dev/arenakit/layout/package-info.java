/// Typed access to structs in memory: record mappers, views and fields over any segment.
///
/// [dev.arenakit.layout.RecordMapper] maps a record class to a struct, [dev.arenakit.layout.ViewMapper] an interface.
/// The annotations in [dev.arenakit.layout.annotation] define lengths, alignment, names and byte order. The types of
/// structs are in [dev.arenakit.layout.type].
@NullMarked
package dev.arenakit.layout;

import org.jspecify.annotations.NullMarked;
