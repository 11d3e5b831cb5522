/// Classes that violate the table of the module.
@NullMarked
package dev.arenakit.spark.planted;

import org.jspecify.annotations.NullMarked;
