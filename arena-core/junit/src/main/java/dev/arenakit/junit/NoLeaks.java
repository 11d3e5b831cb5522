package dev.arenakit.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/// A test that leaves an arena open fails, and its failure says where the arena was opened.
///
/// These arenas are checked after each test, when its `@AfterEach` methods have run:
///
/// - an [java.lang.foreign.Arena] that the test, or its `@BeforeEach` or `@AfterEach` method, takes as a parameter. It
///   is confined to the thread of the test, which must close it;
/// - the arenas that the test passes to [TestArenas#watch] or opens by [TestArenas], which is a parameter, too;
/// - all arenas that are watched by [dev.arenakit.diagnostics.LeakDetector]: those that are wrapped by it, each arena of
///   a `SlabPool`, each `MallocArena` and each `FreeListArena`.
///
/// **The system property `dev.arenakit.leakDetection` must be `ALL`** when the JVM starts, as by
/// `systemPropertyVariables` of Surefire. Otherwise the arenas of pools could leak unseen, and all tests with this
/// annotation fail with an [IllegalStateException].
///
/// Arenas of the JDK that nobody wraps, and arenas whose builder chooses `LeakDetection.SAMPLED`, cannot be seen.
///
/// **Which test.** A watched arena belongs to the test if the thread of the test has opened it, or if another thread
/// has, and a class of the test is in the stack of the opening; with parallel tests, the latter only if no other test of
/// that class ran at the same time. All other arenas that were opened since the first test with this annotation, and
/// are open after the last test, are named by a warning of the [System.Logger] `dev.arenakit.leaks`: the extension
/// could not attribute them to a test.
///
/// An arena that is meant to stay open, in a static field, is opened before the tests of its class, in a `@BeforeAll`
/// method.
///
/// {@snippet file="dev/arenakit/junit/NoLeaksSnippets.java" region="noLeaks"}
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@ExtendWith(NoLeaksExtension.class)
public @interface NoLeaks {}
