package dev.postern.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ExampleTest {
    @Test
    @DisplayName("The example shows a scrubbed tool answer and a masked reply that still became a record")
    void runs() {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        Example.run(new PrintStream(printed, true, StandardCharsets.UTF_8));

        String text = printed.toString(StandardCharsets.UTF_8);
        System.out.println(text);
        assertThat(text)
                .contains("signed in as app with {{vault:db}}, 30 characters")
                .contains("Settings[host=db.internal, connection=[REDACTED:connection_string]")
                .doesNotContain("keychain")
                .doesNotContain("pa55w0rd");
    }
}
