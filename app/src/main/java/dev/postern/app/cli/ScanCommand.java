package dev.postern.app.cli;

import dev.postern.app.control.ControlException;
import dev.postern.app.control.ExitCode;
import dev.postern.app.scan.ScanProgress;
import dev.postern.app.scan.ScanReport;
import dev.postern.app.scan.ScanTargets;
import dev.postern.detect.Finding;
import dev.postern.detect.SecretDetector;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code postern scan}: finds secrets nobody told us about (D1, D7). */
@Command(name = "scan", description = "Find secrets in files, in what is staged in Git, or on standard input.")
final class ScanCommand extends PosternCommand {
    /** A text file has no zero bytes; Git looks as far. */
    private static final int BINARY_PROBE_BYTES = 8_000;

    private static final String STANDARD_INPUT = "-";

    enum Format {
        TEXT,
        JSON,
        SARIF
    }

    @Parameters(paramLabel = "PATH", arity = "0..*", description = "Files and directories; standard input if none.")
    private List<Path> paths = new ArrayList<>();

    @Option(names = "--format", paramLabel = "FORMAT", description = "text (default), json or sarif.")
    private Format format = Format.TEXT;

    @Option(names = "--staged", description = "Scan what the next Git commit would add, for a pre-commit hook.")
    private boolean staged;

    private final SecretDetector detector = SecretDetector.withDefaultRules();
    private final List<ScanReport.Located> findings = new ArrayList<>();

    @Override
    void run() throws IOException {
        List<ScanTargets.Target> targets = new ArrayList<>();
        if (staged) {
            ScanTargets.staged(targets::add);
        } else if (paths.isEmpty()) {
            scan(STANDARD_INPUT, System.in.readAllBytes());
        }
        for (Path path : paths) {
            if (path.toString().equals(STANDARD_INPUT)) {
                scan(STANDARD_INPUT, System.in.readAllBytes());
            } else {
                ScanTargets.under(path, targets::add);
            }
        }
        try (ScanProgress progress = ScanProgress.of(targets.size())) {
            for (ScanTargets.Target target : targets) {
                scan(target.path(), target.read());
                progress.step();
            }
        }
        report(new ScanReport(findings, detector.version()));
        if (!findings.isEmpty()) {
            throw new ControlException(ExitCode.REFUSED, "SECRETS_FOUND", findings.size() + " finding(s).");
        }
    }

    private void scan(String path, byte[] content) {
        for (int at = 0; at < Math.min(content.length, BINARY_PROBE_BYTES); at++) {
            if (content[at] == 0) {
                return;
            }
        }
        for (Finding finding : detector.scan(content, path)) {
            findings.add(new ScanReport.Located(path, finding));
        }
    }

    private void report(ScanReport report) {
        if (json() || format == Format.JSON) {
            print(report.json());
        } else if (format == Format.SARIF) {
            print(report.sarif());
        } else {
            for (ScanReport.Located located : report.findings()) {
                Finding finding = located.finding();
                out().println(Table.visible(located.path()) + ":" + finding.line() + ":" + finding.column() + ": "
                        + finding.category() + " (" + finding.rule() + ")");
            }
            out().flush();
        }
    }
}
