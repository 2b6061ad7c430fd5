package dev.postern.gate.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ToolNameTest {
    @Test
    void aNameIsServerAndTool() {
        assertThat(ToolName.parse("files__read__all")).isEqualTo(new ToolName("files", "read__all"));
        assertThat(new ToolName("files", "read").toString()).isEqualTo("files__read");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "files", "__read", "files__", "__", "files_read"})
    void anythingElseIsNone(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> ToolName.parse(text));
    }
}
