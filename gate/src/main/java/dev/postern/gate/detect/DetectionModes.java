package dev.postern.gate.detect;

/**
 * What becomes of secrets on their way to and from one server.
 *
 * @param arguments from agents to the server, in the arguments of tool calls
 * @param results from the server to agents: answers, errors, notifications and requests
 */
public record DetectionModes(DetectionMode arguments, DetectionMode results) {
    /**
     * Where the configuration says nothing: a key that a server returns is captured, and one that an agent writes passes,
     * since it has read it already.
     */
    public static final DetectionModes DEFAULTS = new DetectionModes(DetectionMode.REPORT, DetectionMode.CAPTURE);

    /** Nothing is looked for in either direction. */
    public static final DetectionModes OFF = new DetectionModes(DetectionMode.OFF, DetectionMode.OFF);
}
