package dev.arenakit.layout;

import java.lang.invoke.MethodHandle;

/// What a mapper of views is made of: class data for [MappedView] and [MappedCursor].
///
/// @param type        the struct
/// @param constructor `(MemorySegment, long)Object`, makes a view of a segment and an offset
/// @param mover       `(Object, long)void`, sets the offset of a view
/// @param cursor      `(MemorySegment, Object)Object`, makes a cursor of a segment and its view; for [MappedView] alone
record ViewPlan(StructType type, MethodHandle constructor, MethodHandle mover, MethodHandle cursor) {}
