/// Codecs of the values of one component: numbers, enums, addresses, text, arrays and nested records.
@NullMarked
package dev.arenakit.internal.layout.value;

import org.jspecify.annotations.NullMarked;
