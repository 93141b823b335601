package dev.callbound.gateway;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the shape that ARCHITECTURE.md draws: dependencies point one way. */
class ArchitectureTest {
  private static final String ALL = "dev.callbound..";
  private static final String POLICY = "dev.callbound.policy..";
  private static final String JOURNAL = "dev.callbound.journal..";
  private static final String TESTKIT = "dev.callbound.testkit..";
  private static final String GATEWAY = "dev.callbound.gateway";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.callbound");

  static Stream<Arguments> packages() {
    return Stream.of(
        allowed("mcp"),
        allowed("config", POLICY),
        allowed("process"),
        allowed("upstream", POLICY, in("mcp"), in("config"), in("process")),
        allowed("profile", POLICY, in("mcp"), in("config")),
        allowed("run", POLICY, JOURNAL, in("config")),
        // The port alone: how a server is reached is none of the bridge's business.
        allowed(
            "bridge", POLICY, JOURNAL, in("mcp"), in("config"), in("run"), GATEWAY + ".upstream"),
        allowed("door", in("bridge"), in("mcp"), in("config")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("packages")
  void aPackageSeesOnlyWhatItMay(String name, List<String> visible) {
    List<String> own = new ArrayList<>(visible);
    own.add(in(name));
    noClasses()
        .that()
        .resideInAPackage(in(name))
        .should()
        .dependOnClassesThat(
            resideInAPackage(ALL).and(not(resideInAnyPackage(own.toArray(String[]::new)))))
        .check(CLASSES);
  }

  @Test
  void thePolicyDependsOnNothing() {
    classes()
        .that()
        .resideInAPackage(POLICY)
        .should()
        .onlyDependOnClassesThat(resideInAnyPackage(POLICY, "java..", "org.jspecify.."))
        .check(CLASSES);
  }

  @Test
  void thePolicyStartsNoThreadAndReadsNoClock() {
    noClasses()
        .that()
        .resideInAPackage(POLICY)
        .should()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(java.time.Instant.class, "now")
        .orShould()
        .callMethod(Thread.class, "sleep", long.class)
        .orShould()
        .callMethod(Thread.class, "ofVirtual")
        .orShould()
        .callMethod(Thread.class, "start")
        .check(CLASSES);
  }

  @Test
  void theJournalSeesNoGateway() {
    noClasses()
        .that()
        .resideInAPackage(JOURNAL)
        .should()
        .dependOnClassesThat(resideInAPackage(ALL).and(not(resideInAnyPackage(POLICY, JOURNAL))))
        .check(CLASSES);
  }

  @Test
  void theTestkitIsSeenByTheDemoAndTheFaultsCommandAlone() {
    noClasses()
        .that(
            resideInAPackage(ALL)
                .and(not(resideInAnyPackage(TESTKIT, in("demo"), "dev.callbound.benchmarks..")))
                .and(
                    com.tngtech.archunit.base.DescribedPredicate.describe(
                        "not the faults command, nor what trains the start-up cache",
                        type ->
                            !type.getSimpleName().startsWith("Faults")
                                && !type.getSimpleName().startsWith("WarmUp"))))
        .should()
        .dependOnClassesThat(resideInAPackage(TESTKIT))
        .check(CLASSES);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching(GATEWAY + ".(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  private static Arguments allowed(String name, String... visible) {
    return Arguments.of(name, List.of(visible));
  }

  private static String in(String name) {
    return GATEWAY + "." + name + "..";
  }
}
