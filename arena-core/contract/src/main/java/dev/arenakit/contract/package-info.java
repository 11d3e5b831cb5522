/// A test suite for every arena: the arenas of this library, those of the JDK, and yours.
///
/// [dev.arenakit.contract.ArenaContract] checks sizes, alignments and overlap, zeroing, the bytes written by
/// `allocateFrom`, the order of argument, thread and liveness checks, the lifetime of segments, the release and reuse
/// of memory, and races between threads. It depends on JUnit and AssertJ only.
///
/// **Dependency.** Maven adds JUnit and AssertJ by itself:
///
/// ```xml
/// <dependency>
///   <groupId>dev.arenakit</groupId>
///   <artifactId>arena-contract</artifactId>
///   <version>0.1.0-SNAPSHOT</version>
///   <scope>test</scope>
/// </dependency>
/// ```
///
/// **JVM flag.** Two tests need native access: one closes an arena while native code uses a segment, and one adds a
/// cleanup to a scope. Without native access, these tests are skipped. Grant it to the tests:
///
/// ```xml
/// <plugin>
///   <artifactId>maven-surefire-plugin</artifactId>
///   <configuration>
///     <argLine>--enable-native-access=ALL-UNNAMED</argLine>
///   </configuration>
/// </plugin>
/// ```
///
/// **Example.** This arena aligns small allocations to a cache line:
///
/// ```java
/// final class CacheLineArena implements Arena {
///     private static final long CACHE_LINE = 64;
///
///     private final Arena delegate = Arena.ofConfined();
///
///     @Override
///     public MemorySegment allocate(long byteSize, long byteAlignment) {
///         // The delegate rejects an alignment that is not a power of two: do not round that up.
///         boolean smaller = Long.bitCount(byteAlignment) == 1 && byteAlignment > 0 && byteAlignment < CACHE_LINE;
///         return delegate.allocate(byteSize, smaller ? CACHE_LINE : byteAlignment);
///     }
///
///     @Override
///     public MemorySegment.Scope scope() {
///         return delegate.scope();
///     }
///
///     @Override
///     public void close() {
///         delegate.close();
///     }
/// }
/// ```
///
/// The test class implements two methods. JUnit runs the tests that it inherits:
///
/// ```java
/// class CacheLineArenaTest implements ArenaContract {
///     @Override
///     public Arena open() {
///         return new CacheLineArena();
///     }
///
///     @Override
///     public Capabilities capabilities() {
///         return Capabilities.ofConfined();
///     }
/// }
/// ```
///
/// If the arenas use a pool whose memory can be measured, implement `held` too, so that the suite also finds leaks:
///
/// ```java
/// class PooledArenaTest implements ArenaContract {
///     private final Pool pool = new Pool();
///
///     @Override
///     public Arena open() {
///         return pool.openShared();
///     }
///
///     @Override
///     public Capabilities capabilities() {
///         return Capabilities.ofShared().withoutZeroing().withLargestAlignment(4096);
///     }
///
///     @Override
///     public OptionalLong held() {
///         return OptionalLong.of(pool.usedByteSize());
///     }
/// }
/// ```
///
/// A test that does not apply to the capabilities is skipped.
@NullMarked
package dev.arenakit.contract;

import org.jspecify.annotations.NullMarked;
