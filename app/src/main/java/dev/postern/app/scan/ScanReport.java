package dev.postern.app.scan;

import dev.postern.detect.Finding;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * What a scan found, ready to be written. Holds no value.
 *
 * @param detectorVersion goes into every result (D2)
 */
public record ScanReport(List<Located> findings, String detectorVersion) {
    /** A finding and the file it is in. */
    public record Located(String path, Finding finding) {}

    /** {@code {"findings":[…],"detector_version":…}}. */
    public Map<String, Object> json() {
        List<Object> documents = new ArrayList<>();
        for (Located located : findings) {
            Finding finding = located.finding();
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("path", located.path());
            document.put("rule", finding.rule());
            document.put("category", finding.category());
            document.put("classification", finding.classification());
            document.put("start", finding.start());
            document.put("end", finding.end());
            document.put("line", finding.line());
            document.put("column", finding.column());
            documents.add(document);
        }
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("findings", documents);
        report.put("detector_version", detectorVersion);
        return report;
    }

    /** SARIF 2.1.0, as code hosts read it. */
    public Map<String, Object> sarif() {
        TreeSet<String> rules = new TreeSet<>();
        List<Object> results = new ArrayList<>();
        for (Located located : findings) {
            rules.add(located.finding().rule());
            results.add(result(located));
        }
        Map<String, Object> driver = new LinkedHashMap<>();
        driver.put("name", "postern");
        driver.put("semanticVersion", detectorVersion);
        driver.put("rules", rules.stream().map(rule -> Map.of("id", rule)).toList());
        Map<String, Object> run = new LinkedHashMap<>();
        run.put("tool", Map.of("driver", driver));
        run.put("columnKind", "utf16CodeUnits");
        run.put("results", results);
        Map<String, Object> log = new LinkedHashMap<>();
        log.put("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
        log.put("version", "2.1.0");
        log.put("runs", List.of(run));
        return log;
    }

    private static Map<String, Object> result(Located located) {
        Finding finding = located.finding();
        Map<String, Object> region = new LinkedHashMap<>();
        region.put("startLine", finding.line());
        region.put("startColumn", finding.column());
        region.put("charOffset", finding.start());
        region.put("charLength", finding.end() - finding.start());
        Map<String, Object> physical = new LinkedHashMap<>();
        physical.put("artifactLocation", Map.of("uri", uri(located.path())));
        physical.put("region", region);
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("ruleId", finding.rule());
        result.put("level", "error");
        result.put("message", Map.of("text", "A secret may be here: " + finding.category() + "."));
        result.put("locations", List.of(Map.of("physicalLocation", physical)));
        return result;
    }

    private static String uri(String path) {
        try {
            return new URI(null, null, path, null).getRawPath();
        } catch (URISyntaxException e) {
            return path;
        }
    }
}
