/// One suite of tests that every arena passes: those of this library, those of the JDK, and yours.
///
/// The package needs JUnit and AssertJ and nothing else, in particular nothing of this library. To run it on an arena of
/// your own, depend on the test jar and implement one interface:
///
/// ```xml
/// <dependency>
///   <groupId>dev.arenakit</groupId>
///   <artifactId>arena-core</artifactId>
///   <version>...</version>
///   <type>test-jar</type>
///   <scope>test</scope>
/// </dependency>
/// ```
///
/// ```java
/// class MyArenaContractTest implements ArenaContract {
///     @Override
///     public Arena open() {
///         return new MyArena();
///     }
///
///     @Override
///     public Capabilities capabilities() {
///         return Capabilities.ofConfined().withLargestAlignment(4096);
///     }
/// }
/// ```
///
/// What the arena does not claim is skipped, not failed. Two tests call native code, to be inside the arena's memory
/// while it is closed: they are skipped when native access is denied to the suite, so pass
/// `--enable-native-access=ALL-UNNAMED` to the test's JVM.
@NullMarked
package dev.arenakit.contract;

import org.jspecify.annotations.NullMarked;
