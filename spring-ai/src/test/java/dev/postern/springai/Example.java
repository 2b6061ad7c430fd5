package dev.postern.springai;

import dev.postern.secret.SecretValue;
import dev.postern.tool.ToolGuard;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.annotation.Tool;

/** The example of docs/library.md, with a model that follows a script. */
final class Example {
    record Settings(String host, String connection) {}

    static final class Database {
        @Tool(description = "Signs in to the database")
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
            ChatClient client = ChatClient.builder(model)
                    .defaultTools(GuardedToolCallback.of(guard, ToolCallbacks.from(new Database())))
                    .defaultAdvisors(new SanitizingAdvisor())
                    .build();

            Settings settings = client.prompt("Sign in, then tell me where the database is.")
                    .call()
                    .entity(Settings.class);

            out.println("the tool answered the model: " + model.toolAnswers().get(0));
            out.println("the caller's record:         " + settings);
        }
    }

    private static SecretValue keychain(String name) {
        return new SecretValue(("value of " + name + " from your keychain").getBytes(StandardCharsets.UTF_8));
    }
}
