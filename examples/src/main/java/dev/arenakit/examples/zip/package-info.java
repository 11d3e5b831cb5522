/// An index of the entries of zip and jar files in off-heap memory: [ZipIndex][dev.arenakit.examples.zip.ZipIndex].
@NullMarked
package dev.arenakit.examples.zip;

import org.jspecify.annotations.NullMarked;
