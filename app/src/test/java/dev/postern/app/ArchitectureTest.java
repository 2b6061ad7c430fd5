package dev.postern.app;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.postern.gate.flow.GovernedCall;
import dev.postern.gate.scrub.ChokePoint;
import dev.postern.gate.substitute.Armed;
import dev.postern.secret.Reveal;
import dev.postern.secret.SecretValue;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;

/** The rules no import may break, as ARCHITECTURE.md states them. */
@AnalyzeClasses(packages = "dev.postern", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String[] CORE = {
        "dev.postern.json..",
        "dev.postern.secret..",
        "dev.postern.reference..",
        "dev.postern.scrub..",
        "dev.postern.detect..",
        "dev.postern.tool.."
    };

    /** A module imports only modules above it. */
    @ArchTest
    static final ArchRule MODULES_POINT_ONE_WAY = layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage("dev.postern..")
            .layer("core")
            .definedBy(CORE)
            .layer("gate")
            .definedBy("dev.postern.gate..")
            .layer("store")
            .definedBy("dev.postern.store..")
            .layer("mcp")
            .definedBy("dev.postern.mcp..")
            .layer("web")
            .definedBy("dev.postern.web..")
            .layer("app")
            .definedBy("dev.postern.app..")
            .optionalLayer("testkit")
            .definedBy("dev.postern.testkit..")
            .whereLayer("app")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("web")
            .mayOnlyBeAccessedByLayers("app")
            .whereLayer("store")
            .mayOnlyBeAccessedByLayers("web", "app")
            .whereLayer("mcp")
            .mayOnlyBeAccessedByLayers("web", "app")
            .whereLayer("gate")
            .mayOnlyBeAccessedByLayers("store", "mcp", "web", "app");

    /** Others embed the core, so it brings nothing with it and does no I/O of its own. */
    @ArchTest
    static final ArchRule THE_CORE_HAS_NO_DEPENDENCIES = classes()
            .that()
            .resideInAnyPackage(CORE)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(concat(CORE, "java..", "org.jspecify.annotations.."));

    @ArchTest
    static final ArchRule THE_CORE_DOES_NO_NETWORKING = noClasses()
            .that()
            .resideInAnyPackage(CORE)
            .should()
            .dependOnClassesThat(resideInAnyPackage("java.net.http..", "java.nio.channels..", "java.sql..")
                    .or(belongToAnyOf(Socket.class, ServerSocket.class, URL.class)));

    /** Arguments with values are read by what sends them, and nowhere else. */
    @ArchTest
    static final ArchRule ONLY_THE_RELAY_READS_ARMED_ARGUMENTS = noClasses()
            .that(not(resideInAnyPackage("dev.postern.mcp.relay..", "dev.postern.gate.substitute..")))
            .should()
            .callMethod(Armed.class, "arguments");

    /** What a server sent is unreadable until the choke point has had it (S1). */
    @ArchTest
    static final ArchRule ONLY_THE_GATE_GOVERNS = noClasses()
            .that(not(resideInAnyPackage("dev.postern.gate..", "dev.postern.mcp.relay..", "dev.postern.app.wiring..")))
            .should()
            .dependOnClassesThat(belongToAnyOf(GovernedCall.class, ChokePoint.class));

    /** Every reader of a value, by package. A new one belongs in this list only after a second look. */
    @ArchTest
    static final ArchRule VALUES_ARE_READ_IN_FEW_PLACES = noClasses()
            .that(not(resideInAnyPackage(
                    "dev.postern.secret..",
                    "dev.postern.reference..",
                    "dev.postern.scrub..",
                    "dev.postern.detect..",
                    "dev.postern.gate.substitute..",
                    "dev.postern.gate.detect..",
                    "dev.postern.store.crypto..",
                    "dev.postern.store.sql..",
                    "dev.postern.mcp.client..",
                    "dev.postern.mcp.login..",
                    "dev.postern.mcp.tls..",
                    "dev.postern.web.portal.imports..",
                    "dev.postern.web.link..",
                    "dev.postern.web.openid..",
                    "dev.postern.app.control..",
                    "dev.postern.app.operations..",
                    "dev.postern.app.run..",
                    "dev.postern.app.webhook..",
                    "dev.postern.app.wiring..")))
            .should()
            .callMethod(SecretValue.class, "reveal", Reveal.class);

    /** No agent's code path can write the vault, approve or grant (A1). */
    @ArchTest
    static final ArchRule AGENTS_CANNOT_WRITE = noClasses()
            .that()
            .resideInAnyPackage("dev.postern.mcp..", "dev.postern.gate.flow..")
            .should()
            .dependOnClassesThat()
            .haveSimpleName("VaultWriter");

    /** Untrusted text meets no engine that can backtrack (S12). */
    @ArchTest
    static final ArchRule NO_BACKTRACKING_ON_UNTRUSTED_TEXT = noClasses()
            .that()
            .resideInAnyPackage(
                    "dev.postern.scrub..", "dev.postern.detect..", "dev.postern.reference..", "dev.postern.json..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("java.util.regex..");

    /** What is waited for tells of itself; only the end of a process that is not our child has to be looked for. */
    @ArchTest
    static final ArchRule NOTHING_SLEEPS = noClasses()
            .that(not(resideInAPackage("dev.postern.testkit..")))
            .and()
            .doNotHaveFullyQualifiedName("dev.postern.mcp.client.ProcessTree")
            .should()
            .callMethod(Thread.class, "sleep", long.class);

    /** The command line and configuration know nothing of Jetty or SQL. */
    @ArchTest
    static final ArchRule LIBRARIES_STAY_WHERE_THEY_BELONG = noClasses()
            .that(not(resideInAnyPackage("dev.postern.mcp.server..", "dev.postern.web..", "dev.postern.app.wiring..")))
            .should()
            .dependOnClassesThat(resideInAPackage("org.eclipse.jetty.."));

    @ArchTest
    static final ArchRule SQL_STAYS_IN_THE_STORE = noClasses()
            .that(not(resideInAPackage("dev.postern.store..")))
            .should()
            .dependOnClassesThat(resideInAnyPackage("java.sql..", "org.sqlite.."));

    @ArchTest
    static final ArchRule PICOCLI_STAYS_IN_THE_COMMAND_LINE = noClasses()
            .that(not(resideInAPackage("dev.postern.app.cli..")))
            .should()
            .dependOnClassesThat(resideInAPackage("picocli.."));

    /** What is no Java is in one place. */
    @ArchTest
    static final ArchRule NATIVE_CALLS_STAY_WHERE_THEY_BELONG = noClasses()
            .that(not(resideInAPackage("dev.postern.app.posix..")))
            .should()
            .dependOnClassesThat(resideInAPackage("java.lang.foreign.."));

    private static String[] concat(String[] first, String... more) {
        String[] all = java.util.Arrays.copyOf(first, first.length + more.length);
        System.arraycopy(more, 0, all, first.length, more.length);
        return all;
    }
}
