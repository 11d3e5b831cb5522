/// The annotations of records, views and enums: lengths, sizes, alignment, names, byte order and unions.
///
/// [dev.arenakit.layout.RecordMapper] and [dev.arenakit.layout.ViewMapper] describe the layout that they define.
@NullMarked
package dev.arenakit.layout.annotation;

import org.jspecify.annotations.NullMarked;
