package dev.arenakit.layout;

import dev.arenakit.layout.type.StructType;
import java.lang.invoke.MethodHandle;

/// The class data of copies of [ViewMapperTemplate].
///
/// @param type        the struct
/// @param constructor `(MemorySegment, long)Object`, creates a view of the struct at an offset in a segment
record ViewClassData(StructType type, MethodHandle constructor) {}
