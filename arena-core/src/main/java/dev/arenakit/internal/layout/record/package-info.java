/// Mappers of records: the classes that are generated to read and write a record.
@NullMarked
package dev.arenakit.internal.layout.record;

import org.jspecify.annotations.NullMarked;
