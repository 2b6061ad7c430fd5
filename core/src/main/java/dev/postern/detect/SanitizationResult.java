package dev.postern.detect;

import java.util.List;

/**
 * What {@link ResponseSanitizer} made of a text.
 *
 * @param text the text: as given after a scan, masked after masking
 * @param changed whether {@code text} differs from what was given
 * @param findings what was found, in order; spans count characters of the text as given
 * @param detectorVersion the version of the detector that looked, by semantic versioning (D2)
 */
public record SanitizationResult(String text, boolean changed, List<Finding> findings, String detectorVersion) {
    /** Keeps a copy of the findings. */
    public SanitizationResult {
        findings = List.copyOf(findings);
    }

    /** Says what was found, not the text: after a scan it still holds the secrets. */
    @Override
    public String toString() {
        return "SanitizationResult[changed=" + changed + ", findings=" + findings + ", detectorVersion="
                + detectorVersion + "]";
    }
}
