package dev.arenakit.layout;

import dev.arenakit.layout.type.StructType;
import java.lang.invoke.MethodHandle;

/// The class data of copies of [ViewMapperTemplate] and [ViewCursorTemplate].
///
/// @param type        the struct
/// @param constructor `(MemorySegment, long)Object`, creates a view of the struct at an offset in a segment
/// @param mover       `(Object, long)void`, sets the offset of a view
/// @param cursor      `(MemorySegment, Object)Object`, creates a cursor of a segment and its view; for
///                    [ViewMapperTemplate] only
record ViewClassData(StructType type, MethodHandle constructor, MethodHandle mover, MethodHandle cursor) {}
