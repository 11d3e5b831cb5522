/// Mappers of views: the classes that are generated to implement an interface over memory.
@NullMarked
package dev.arenakit.internal.layout.view;

import org.jspecify.annotations.NullMarked;
