package dev.postern.mcp.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.jr.ob.JSON;

/** What a run of a suite came to: how often each check of each scenario succeeded, failed, or warned. */
final class Outcomes {
    private static final Pattern FOLDER = Pattern.compile("(?:server-)?(.+)-\\d{4}-\\d\\d-\\d\\dT.*");

    private final Map<String, Map<String, Tally>> scenarios = new TreeMap<>();

    private record Tally(int succeeded, int failed, int warned) {
        static final Tally NONE = new Tally(0, 0, 0);

        Tally with(String status) {
            return switch (status) {
                case "SUCCESS" -> new Tally(succeeded + 1, failed, warned);
                case "FAILURE" -> new Tally(succeeded, failed + 1, warned);
                case "WARNING" -> new Tally(succeeded, failed, warned + 1);
                default -> this;
            };
        }

        Tally plus(Tally other) {
            return new Tally(succeeded + other.succeeded, failed + other.failed, warned + other.warned);
        }

        @Override
        public String toString() {
            return succeeded
                    + (failed > 0 ? ", " + failed + " failed" : "")
                    + (warned > 0 ? ", " + warned + " warned" : "");
        }
    }

    /** Nothing yet. */
    Outcomes() {}

    /** Reads the folder that a run wrote its results to. */
    static Outcomes read(Path results) throws IOException {
        Outcomes outcomes = new Outcomes();
        try (Stream<Path> folders = Files.list(results)) {
            for (Path folder : folders.toList()) {
                Matcher name = FOLDER.matcher(folder.getFileName().toString());
                if (name.matches()) {
                    outcomes.add(name.group(1), JSON.std.listFrom(Files.readAllBytes(folder.resolve("checks.json"))));
                }
            }
        }
        return outcomes;
    }

    private void add(String scenario, List<Object> checks) {
        Map<String, Tally> tallies = scenarios.computeIfAbsent(scenario, made -> new TreeMap<>());
        for (Object check : checks) {
            if (check instanceof Map<?, ?> members) {
                tallies.merge(
                        String.valueOf(members.get("id")) + " " + members.get("name"),
                        Tally.NONE.with(String.valueOf(members.get("status"))),
                        Tally::plus);
            }
        }
    }

    /** Takes in another run's. */
    void add(Outcomes other, String version) {
        other.scenarios.forEach((scenario, checks) -> scenarios.put(scenario + " " + version, checks));
    }

    int successes() {
        return total().succeeded;
    }

    private Tally total() {
        return scenarios.keySet().stream().map(this::of).reduce(Tally.NONE, Tally::plus);
    }

    private Tally of(String scenario) {
        return scenarios.getOrDefault(scenario, Map.of()).values().stream().reduce(Tally.NONE, Tally::plus);
    }

    /** The checks that failed. */
    List<String> failures() {
        List<String> failures = new ArrayList<>();
        scenarios.forEach((scenario, checks) -> checks.forEach((check, tally) -> {
            if (tally.failed > 0) {
                failures.add(scenario + ": " + check);
            }
        }));
        return failures;
    }

    /** The checks that fail here, or succeed less often than in another run. */
    List<String> lostFrom(Outcomes direct) {
        List<String> lost = new ArrayList<>(failures());
        direct.scenarios.forEach((scenario, checks) -> checks.forEach((check, tally) -> {
            Tally here = scenarios.getOrDefault(scenario, Map.of()).getOrDefault(check, Tally.NONE);
            if (here.succeeded < tally.succeeded) {
                lost.add(scenario + ": " + check + ": " + here.succeeded + " of " + tally.succeeded);
            }
        }));
        return lost;
    }

    /** Both side by side, a line a scenario. */
    static String table(String title, Outcomes direct, Outcomes through) {
        StringBuilder table = new StringBuilder(String.format(
                "%nConformance, %s: checks that succeeded%n%-50s %-22s %s%n",
                title, "scenario", "directly", "through /mcp/SERVER"));
        direct.scenarios
                .keySet()
                .forEach(scenario -> table.append(
                        String.format("%-50s %-22s %s%n", scenario, direct.of(scenario), through.of(scenario))));
        return table.append(String.format("%-50s %-22s %s%n", "total", direct.total(), through.total()))
                .toString();
    }
}
