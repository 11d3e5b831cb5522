/// Conditions on the fields of one type, and their compiler to classes that search structs.
@NullMarked
package dev.arenakit.tool.where.compiler;

import org.jspecify.annotations.NullMarked;
