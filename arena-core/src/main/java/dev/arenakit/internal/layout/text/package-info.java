/// Scans, parses and prints the text of layouts, and writes C headers and tables, for `dev.arenakit.layout.text`.
@NullMarked
package dev.arenakit.internal.layout.text;

import org.jspecify.annotations.NullMarked;
