/// Random structs and a model of their values. The modules whose tests use them compile these classes as their own,
/// because `arena-core` needs `arena-testing`.
@NullMarked
package dev.arenakit.teststructs;

import org.jspecify.annotations.NullMarked;
