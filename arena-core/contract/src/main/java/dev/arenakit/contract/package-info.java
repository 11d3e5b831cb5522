/// A test suite for every arena: the arenas of this library, those of the JDK, and yours.
///
/// [dev.arenakit.contract.ArenaContract] checks sizes, alignments and overlap, zeroing, the bytes written by
/// `allocateFrom`, the order of argument, thread and liveness checks, the lifetime of segments, the release and reuse
/// of memory, and races between threads. The package is in the test jar of `arena-core` and depends on JUnit and
/// AssertJ only.
///
/// **Dependencies.** Maven does not add the dependencies of a test jar. Declare all three:
///
/// ```xml
/// <dependency>
///   <groupId>dev.arenakit</groupId>
///   <artifactId>arena-core</artifactId>
///   <version>0.1.0-SNAPSHOT</version>
///   <type>test-jar</type>
///   <scope>test</scope>
/// </dependency>
/// <dependency>
///   <groupId>org.junit.jupiter</groupId>
///   <artifactId>junit-jupiter</artifactId>
///   <version>6.1.3</version>
///   <scope>test</scope>
/// </dependency>
/// <dependency>
///   <groupId>org.assertj</groupId>
///   <artifactId>assertj-core</artifactId>
///   <version>3.27.7</version>
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
