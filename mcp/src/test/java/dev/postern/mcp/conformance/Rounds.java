package dev.postern.mcp.conformance;

import dev.postern.mcp.conformance.Json.Failure;
import dev.postern.mcp.conformance.ModernSide.Call;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** Results that ask for input, and the states that come back with it. */
final class Rounds {
    private final byte[] key = new byte[32];

    Rounds() {
        new SecureRandom().nextBytes(key);
    }

    /** The result of a tool that asks; null where the tool is none of those. */
    @Nullable
    Map<String, Object> tool(Call call) {
        Map<String, Object> given = Json.object(call.params(), "inputResponses");
        return switch (call.name()) {
            case "test_input_required_result_elicitation", "test_streaming_elicitation" -> {
                String name = answered(given, "user_name", "name");
                yield name.isEmpty()
                        ? asks(Map.of("user_name", name("What is your name?")), null)
                        : Content.text("Hello, " + name + "!");
            }
            case "test_elicitation", "test_elicitation_sep1034_defaults", "test_elicitation_sep1330_enums" ->
                given.containsKey("form")
                        ? Content.text("Elicitation completed")
                        : asks(Map.of("form", name("Please fill in")), null);
            case "test_input_required_result_sampling", "test_sampling" -> {
                String text = Json.text(Json.object(Json.object(given, "capital_question"), "content"), "text");
                yield text.isEmpty()
                        ? asks(Map.of("capital_question", sampling("What is the capital of France?", 100)), null)
                        : Content.text(text);
            }
            case "test_input_required_result_list_roots" ->
                given.containsKey("client_roots")
                        ? Content.text(
                                "Roots: " + Json.object(given, "client_roots").get("roots"))
                        : asks(Map.of("client_roots", roots()), null);
            case "test_input_required_result_request_state" ->
                states(call, given, "confirm", confirm("Please confirm"), "state-ok");
            case "test_input_required_result_tampered_state" ->
                states(call, given, "confirm", confirm("Please confirm"), "state-ok");
            case "test_input_required_result_multiple_inputs" -> {
                Map<String, Object> wanted = new LinkedHashMap<>();
                wanted.put("user_name", name("What is your name?"));
                wanted.put("greeting", sampling("Generate a greeting", 50));
                wanted.put("client_roots", roots());
                yield given.keySet().containsAll(wanted.keySet()) && state(call).equals("all")
                        ? Content.text("Thank you, " + answered(given, "user_name", "name"))
                        : asks(wanted, "all");
            }
            case "test_input_required_result_multi_round" -> twice(call, given);
            case "test_input_required_result_capabilities" -> {
                Map<String, Object> wanted = new LinkedHashMap<>();
                if (call.capabilities().containsKey("elicitation")) {
                    wanted.put("user_name", name("What is your name?"));
                }
                if (call.capabilities().containsKey("sampling")) {
                    wanted.put("greeting", sampling("Generate a greeting", 50));
                }
                yield given.isEmpty() && !wanted.isEmpty() ? asks(wanted, null) : Content.text("done");
            }
            default -> null;
        };
    }

    /** The result of the prompt that asks. */
    Map<String, Object> prompt(Call call) {
        String context = answered(Json.object(call.params(), "inputResponses"), "user_context", "context");
        return context.isEmpty()
                ? asks(
                        Map.of("user_context", elicitation("What context should the prompt use?", "context", "string")),
                        null)
                : Content.messages(List.of(Content.textBlock("Context: " + context)));
    }

    private Map<String, Object> twice(Call call, Map<String, Object> given) {
        String state = state(call);
        if (state.equals("two") && !answered(given, "step2", "color").isEmpty()) {
            return Content.text("Two rounds are done");
        }
        if (!state.isEmpty() && !answered(given, "step1", "name").isEmpty()) {
            return asks(Map.of("step2", elicitation("Step 2: What is your favorite color?", "color", "string")), "two");
        }
        return asks(Map.of("step1", name("Step 1: What is your name?")), "one");
    }

    private Map<String, Object> states(
            Call call, Map<String, Object> given, String wish, Map<String, Object> request, String done) {
        boolean mine = state(call).equals("mine");
        return mine && given.containsKey(wish) ? Content.text(done) : asks(Map.of(wish, request), "mine");
    }

    /** The state that came back; empty if none did. */
    private String state(Call call) {
        String state = Json.text(call.params(), "requestState");
        if (state.isEmpty()) {
            return "";
        }
        int dot = state.lastIndexOf('.');
        if (dot < 0 || !state.equals(sealed(state.substring(0, dot)))) {
            throw new Failure(-32602, "requestState is not as it was given");
        }
        return state.substring(0, dot);
    }

    private String sealed(String state) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return state + "." + HexFormat.of().formatHex(mac.doFinal(state.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HmacSHA256", e);
        }
    }

    Map<String, Object> asks(Map<String, Object> requests, @Nullable String state) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("resultType", "input_required");
        result.put("inputRequests", requests);
        if (state != null) {
            result.put("requestState", sealed(state));
        }
        return result;
    }

    /** A member of an accepted form; empty if it was not given as a text. */
    static String answered(Map<String, Object> given, String key, String member) {
        return Json.text(Json.object(Json.object(given, key), "content"), member);
    }

    static Map<String, Object> name(String message) {
        return elicitation(message, "name", "string");
    }

    private static Map<String, Object> confirm(String message) {
        return elicitation(message, "ok", "boolean");
    }

    private static Map<String, Object> elicitation(String message, String member, String type) {
        return Map.of(
                "method",
                "elicitation/create",
                "params",
                Content.elicitation(message, Map.of(member, Map.of("type", type)), member));
    }

    private static Map<String, Object> sampling(String prompt, int maxTokens) {
        return Map.of("method", "sampling/createMessage", "params", Content.sampling(prompt, maxTokens));
    }

    private static Map<String, Object> roots() {
        return Map.of("method", "roots/list", "params", Map.of());
    }
}
