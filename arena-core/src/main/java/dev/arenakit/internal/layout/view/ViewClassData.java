package dev.arenakit.internal.layout.view;

import dev.arenakit.layout.type.StructType;

/// The class data of the copies that [ViewMapperCache] makes of the template of mappers.
///
/// @param type           the struct
/// @param view           the interface
/// @param implementation its class
public record ViewClassData(StructType type, Class<?> view, ViewClass implementation) {}
