/// The types that describe the contents of memory: structs, and the types of their members.
///
/// The types need no Java class. [dev.arenakit.layout.RecordMapper] derives them from records,
/// [dev.arenakit.layout.text.LayoutText] prints and parses them, and [dev.arenakit.dump.LayoutDump] uses them to show
/// memory.
@NullMarked
package dev.arenakit.layout.type;

import org.jspecify.annotations.NullMarked;
