package dev.postern.mcp.relay;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Edits of params leave JSON, wherever what they touch stands. */
class ParamsEditTest {
    private static final List<String> MEMBERS = List.of("a", "b", "c", "d");

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\n\t"})
    void whateverIsTakenOutTogetherTheRestStays(String space) {
        for (List<String> removed : subsets(MEMBERS)) {
            List<String> left =
                    MEMBERS.stream().filter(name -> !removed.contains(name)).toList();
            ParamsEdit at = edit(MEMBERS, space);
            removed.forEach(name -> at.remove(Set.of(name)));
            assertThat(namesOf(at)).isEqualTo(left);

            List<String> more = new ArrayList<>(left);
            more.addFirst("new");
            ParamsEdit together = edit(MEMBERS, space);
            together.remove(Set.copyOf(removed)).add("new", utf8("0"));
            assertThat(namesOf(together)).isEqualTo(more);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b", "d"})
    void whatIsTakenOutNeedsNoOtherEdit(String name) {
        JsonValue params = params(MEMBERS, " ");
        JsonValue value = requireNonNull(params.member(name));
        ParamsEdit edit = new ParamsEdit(params);
        edit.replace(value, utf8("\"other\"")).remove(Set.of(name));
        assertThat(namesOf(edit)).doesNotContain(name).hasSize(3);
    }

    private static List<List<String>> subsets(List<String> names) {
        List<List<String>> subsets = new ArrayList<>();
        for (int bits = 0; bits < 1 << names.size(); bits++) {
            int chosen = bits;
            subsets.add(names.stream()
                    .filter(name -> (chosen >> names.indexOf(name) & 1) == 1)
                    .toList());
        }
        return subsets;
    }

    private static JsonValue params(List<String> names, String space) {
        return JsonValue.parse(utf8(names.stream()
                .map(name -> "\"" + name + "\":" + space + "1")
                .collect(Collectors.joining(space + "," + space, "{" + space, space + "}"))));
    }

    private static ParamsEdit edit(List<String> names, String space) {
        return new ParamsEdit(params(names, space));
    }

    private static List<String> namesOf(ParamsEdit edit) {
        List<String> names = new ArrayList<>();
        JsonValue.parse(edit.apply()).forEachMember((name, value) -> names.add(name.string()));
        return names;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
