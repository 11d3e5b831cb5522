package dev.arenakit.internal.layout.record;

import dev.arenakit.layout.type.StructType;
import java.lang.invoke.MethodHandle;

/// The class data of the copies that [RecordClassEmitter] makes of the template of mappers.
///
/// @param type   the struct
/// @param record the record class
/// @param read   `(MemorySegment, long)Object`, reads the record at an offset
/// @param write  `(MemorySegment, long, Object)void`, writes the record at an offset
public record RecordClassData(StructType type, Class<?> record, MethodHandle read, MethodHandle write) {}
