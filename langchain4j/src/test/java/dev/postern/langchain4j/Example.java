package dev.postern.langchain4j;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.AiServices;
import dev.postern.secret.SecretValue;
import dev.postern.tool.ToolGuard;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The example of docs/library.md, with a model that follows a script. */
final class Example {
    record Settings(String host, String connection) {}

    interface Assistant {
        Settings settings(String question);
    }

    static final class Database {
        @Tool("Signs in to the database")
        String signIn(String user, String password) {
            return "signed in as " + user + " with " + password + ", " + password.length() + " characters";
        }
    }

    private static final String REPLY = """
            {"host": "db.internal", "connection": "postgres://app:pa55w0rd-of-db@db.internal/app"}""";

    private Example() {}

    public static void main(String[] arguments) {
        run(System.out);
    }

    static void run(PrintStream out) {
        ScriptedModel model = ScriptedModel.thatCalls("signIn", "{\"user\":\"app\",\"password\":\"{{vault:db}}\"}")
                .says(REPLY);

        try (ToolGuard guard = ToolGuard.of((tool, reference) -> keychain(reference.name()))) {
            Assistant assistant = AiServices.builder(Assistant.class)
                    .chatModel(model)
                    .tools(GuardedTools.of(guard, new Database()))
                    .outputGuardrails(new SanitizingGuardrail())
                    .build();

            Settings settings = assistant.settings("Sign in, then tell me where the database is.");

            out.println(
                    "the tool answered the model: " + model.toolAnswers().get(0).text());
            out.println("the caller's record:         " + settings);
        }
    }

    private static SecretValue keychain(String name) {
        return new SecretValue(("value of " + name + " from your keychain").getBytes(StandardCharsets.UTF_8));
    }
}
