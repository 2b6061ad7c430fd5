package dev.postern.tool;

import dev.postern.detect.ResponseSanitizer;
import dev.postern.json.JsonException;
import dev.postern.json.JsonValue;
import dev.postern.reference.Placement;
import dev.postern.reference.ReferenceException;
import dev.postern.reference.ReferenceFinder;
import dev.postern.reference.ReferenceLimits;
import dev.postern.reference.Substitution;
import dev.postern.scrub.LiveSecret;
import dev.postern.scrub.RecentValues;
import dev.postern.scrub.ScrubFailedException;
import dev.postern.scrub.Scrubbed;
import dev.postern.scrub.Scrubber;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Lets the tools of an agent in this process use secrets that the agent cannot read. References in a call's arguments are
 * replaced by values, the tool runs, and the values, those of this call and those delivered in the last ten minutes, are
 * taken out of what it answers. Secrets nobody told us about are masked in the answer too, if a sanitizer is given.
 *
 * <p>All or nothing (R6): a reference without a value, and no tool runs. No fallback (S10): an answer that cannot be
 * scrubbed is not handed on. One guard serves one agent's tools, since it remembers values; it is thread-safe.
 *
 * <p>Not covered: a framework hands a tool its arguments as a {@code String}, which cannot be wiped. It is made last,
 * right before the tool runs.
 */
public final class ToolGuard implements AutoCloseable {
    private static final String ONE_USER = "";

    private final SecretSource secrets;
    private final @Nullable ResponseSanitizer sanitizer;
    private final RecentValues recent;

    private ToolGuard(SecretSource secrets, @Nullable ResponseSanitizer sanitizer, InstantSource clock) {
        this.secrets = secrets;
        this.sanitizer = sanitizer;
        this.recent = new RecentValues(clock);
    }

    /** A guard that takes known values out of answers, and masks unknown secrets by the default rules. */
    public static ToolGuard of(SecretSource secrets) {
        return of(secrets, ResponseSanitizer.withDefaultRules());
    }

    /** As {@link #of(SecretSource)}; null leaves unknown secrets in answers as they are. */
    public static ToolGuard of(SecretSource secrets, @Nullable ResponseSanitizer sanitizer) {
        return of(secrets, sanitizer, InstantSource.system());
    }

    static ToolGuard of(SecretSource secrets, @Nullable ResponseSanitizer sanitizer, InstantSource clock) {
        return new ToolGuard(secrets, sanitizer, clock);
    }

    /** As {@link #call(String, String, String, UnaryOperator)} for a tool whose input schema is not known. */
    public String call(String tool, String arguments, UnaryOperator<String> run) {
        return call(tool, arguments, null, run);
    }

    /**
     * Runs one call.
     *
     * @param tool the tool's name, for {@link SecretSource}
     * @param arguments JSON, as the agent wrote it; handed on as it is if it holds no reference (R8)
     * @param inputSchema the tool's JSON Schema, or null; where it admits only an integer, number or boolean, a string
     *     that is one reference is replaced by that scalar (R11)
     * @param run the tool: arguments with values in, its answer out
     * @return the answer, JSON or text, without the values
     * @throws ToolRefusedException if the call was not made, or its answer cannot be handed on
     * @throws ToolFailedException if the tool threw
     */
    public String call(String tool, String arguments, @Nullable String inputSchema, UnaryOperator<String> run) {
        try (DeliveredValues delivered = new DeliveredValues(secrets, tool)) {
            String ready = resolve(arguments, inputSchema, delivered);
            delivered.live().forEach(secret -> recent.remember(ONE_USER, secret));
            return clean(run(run, ready, delivered.live()), delivered.live());
        }
    }

    /** Wipes the memory of delivered values. */
    @Override
    public void close() {
        recent.close();
    }

    private static String resolve(String arguments, @Nullable String inputSchema, DeliveredValues delivered) {
        byte[] json = arguments.getBytes(StandardCharsets.UTF_8);
        if (!ReferenceFinder.mightContain(json)) {
            return arguments;
        }
        try {
            JsonValue parsed = JsonValue.parse(json);
            List<Placement> placements = ReferenceFinder.find(parsed, ReferenceLimits.defaults());
            // All are resolved before one is placed, so that the first without a value refuses the call (R6).
            placements.forEach(placement -> delivered.valueOf(placement.reference()));
            byte[] ready = Substitution.substitute(parsed, placements, delivered::valueOf, schema(inputSchema));
            try {
                return new String(ready, StandardCharsets.UTF_8);
            } finally {
                Arrays.fill(ready, (byte) 0);
            }
        } catch (ReferenceException e) {
            throw new ToolRefusedException(
                    e.code().name(), e.getMessage() + ". Nothing was run; mend the reference and call again.");
        } catch (JsonException e) {
            throw new ToolRefusedException("INVALID_ARGS", "the arguments are not JSON: " + e.reason() + ".");
        }
    }

    /** A schema that cannot be read admits strings, as none does. */
    private static @Nullable JsonValue schema(@Nullable String inputSchema) {
        try {
            return inputSchema == null ? null : JsonValue.parse(inputSchema.getBytes(StandardCharsets.UTF_8));
        } catch (JsonException e) {
            return null;
        }
    }

    private String run(UnaryOperator<String> run, String arguments, List<LiveSecret> delivered) {
        try {
            return run.apply(arguments);
        } catch (RuntimeException e) {
            String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
            throw new ToolFailedException(clean(message, delivered), e);
        }
    }

    private String clean(String answer, List<LiveSecret> delivered) {
        List<LiveSecret> remembered = recent.valuesOf(ONE_USER);
        try (Scrubber scrubber = Scrubber.of(delivered, remembered)) {
            String scrubbed = scrubber.isEmpty() ? answer : scrub(scrubber, answer);
            return sanitizer == null
                    ? scrubbed
                    : sanitizer.scanAndMask(scrubbed).text();
        } catch (ScrubFailedException e) {
            throw new ToolRefusedException(
                    ScrubFailedException.CODE,
                    "the tool ran, but its answer could not be scrubbed: " + e.reason() + ".");
        } finally {
            remembered.forEach(secret -> secret.value().close());
        }
    }

    private static String scrub(Scrubber scrubber, String answer) {
        byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
        boolean json = JsonValue.isValid(bytes, 0, bytes.length, JsonValue.DEFAULT_MAX_DEPTH);
        Scrubbed scrubbed = json ? scrubber.scrubCounting(bytes) : scrubber.scrubTextCounting(bytes);
        return scrubbed.hits() == 0 ? answer : new String(scrubbed.bytes(), StandardCharsets.UTF_8);
    }
}
