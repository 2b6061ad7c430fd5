package dev.postern.web.portal.imports;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.secret.Reveal;
import dev.postern.secret.SecretValue;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files people keep secrets in, as their programs write them. */
final class SecretFileTest {
    @Test
    void readsDotenvWithExportsCommentsQuotesAndLines() {
        List<ImportedSecret> secrets = read("""
                # settings
                PORT=5432
                export API_KEY = plain value # a comment
                DB_PASSWORD='single # not a comment \\n'
                PRIVATE_KEY="-----BEGIN
                two\\nthree \\"quoted\\" \\x"
                EMPTY=
                LAST_TOKEN=x#y""");
        assertThat(secrets)
                .extracting(ImportedSecret::title)
                .containsExactly("PORT", "API_KEY", "DB_PASSWORD", "PRIVATE_KEY", "LAST_TOKEN");
        assertThat(values(secrets))
                .containsExactly(
                        "5432",
                        "plain value",
                        "single # not a comment \\n",
                        "-----BEGIN\ntwo\nthree \"quoted\" \\x",
                        "x#y");
        assertThat(secrets).extracting(ImportedSecret::isLikely).containsExactly(false, true, true, true, true);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "Bitwarden|folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp"
                        + "|work,,login,Database,a note,,0,https://db.example.com,app,S3cr3t-pass!,",
                "1Password|Title,Url,Username,Password,OTPAuth,Favorite,Archived,Tags,Notes"
                        + "|Database,https://db.example.com,app,S3cr3t-pass!,,false,false,work,a note",
                "Chrome|name,url,username,password,note|Database,https://db.example.com,app,S3cr3t-pass!,a note",
                "KeePassXC|`\"Group\",\"Title\",\"Username\",\"Password\",\"URL\",\"Notes\",\"TOTP\",\"Icon\",\"Last Modified\",\"Created\"`"
                        + "|\"work\",\"Database\",\"app\",\"S3cr3t-pass!\",\"https://db.example.com\",\"a note\",\"\",\"0\",\"2026\",\"2026\"",
                "Apple Passwords|Title,URL,Username,Password,Notes,OTPAuth|Database,https://db.example.com,app,S3cr3t-pass!,a note,",
            })
    void readsWhatPasswordManagersExport(String manager, String header, String line) {
        List<ImportedSecret> secrets = read(header + "\r\n" + line + "\r\n");
        assertThat(secrets).as(manager).hasSize(1);
        ImportedSecret secret = secrets.getFirst();
        assertThat(secret.title()).isEqualTo("Database");
        assertThat(secret.website()).isEqualTo("https://db.example.com");
        assertThat(secret.username()).isEqualTo("app");
        assertThat(text(secret.value())).isEqualTo("S3cr3t-pass!");
        assertThat(text(java.util.Objects.requireNonNull(secret.notes()))).isEqualTo("a note");
    }

    @Test
    void namesAnEntryOfFirefoxByItsHost() {
        List<ImportedSecret> secrets = read("""
                "url","username","password","httpRealm","formActionOrigin","guid","timeCreated","timeLastUsed"
                "https://shop.example.com/login","kim","with ""quotes"", and
                a line",,"https://shop.example.com","{1}","1","2"
                "https://empty.example.com","kim","",,"","{2}","1","2"
                """);
        assertThat(secrets).extracting(ImportedSecret::title).containsExactly("shop.example.com");
        assertThat(values(secrets)).containsExactly("with \"quotes\", and\na line");
    }

    @Test
    void saysWhereAFileIsWrongAndNotWhatItHolds() {
        assertThatThrownBy(() -> read("A_KEY=ok\nthis-is-a-secret-line\n"))
                .isInstanceOf(ImportException.class)
                .hasMessageContaining("Line 2")
                .hasMessageNotContaining("this-is");
        assertThatThrownBy(() -> read("A_KEY=\"never closed\nB=1"))
                .isInstanceOf(ImportException.class)
                .hasMessageContaining("line 1");
        assertThatThrownBy(() -> read("name,password\nx,\"never closed\n"))
                .isInstanceOf(ImportException.class)
                .hasMessageContaining("line 2");
    }

    @Test
    void keepsWhatIsShownFreeOfWhatIsSecret() {
        List<ImportedSecret> secrets = read("""
                \ufeffName,URL,Username,Password
                "=HYPERLINK(""http://evil.example"",""x"")",https://kim:hunter2-long@db.example/x?token=abc,kim,hunter2-long
                my hunter2-long here,hunter2-long,hunter2-long,hunter2-long
                <b>bold</b>,javascript:alert(1),"two
                lines",=1+1-long-enough
                """);
        assertThat(secrets)
                .extracting(ImportedSecret::website)
                .containsExactly("https://db.example/x", null, "javascript:alert(1)");
        assertThat(secrets).extracting(ImportedSecret::username).containsExactly("kim", null, "two\nlines");
        assertThat(secrets.get(1).title()).isEqualTo("line-3");
        assertThat(values(secrets)).containsExactly("hunter2-long", "hunter2-long", "=1+1-long-enough");
    }

    @Test
    void refusesWhatIsNoExport() {
        byte[] utf16 = "name,password\nx,y".getBytes(java.nio.charset.StandardCharsets.UTF_16);
        assertThatThrownBy(() -> SecretFile.read(new SecretValue(utf16)))
                .isInstanceOf(ImportException.class)
                .hasMessageContaining("UTF-8");
        assertThatThrownBy(() -> read("name,password\n" + ",".repeat(1_000_000)))
                .isInstanceOf(ImportException.class)
                .hasMessageContaining("columns");
        assertThatThrownBy(() -> read("name,password\n" + "x,12345678\n".repeat(2_000)))
                .isInstanceOf(ImportException.class)
                .hasMessageContaining("1000");
        assertThat(read("name,password\n" + "\n".repeat(100_000))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "Database,database",
        "DB_PASSWORD,db_password",
        "Zürich – Büro!,zurich-buro",
        "日本,secret",
        "taken,taken-2"
    })
    void makesNamesThatReferencesCanCarry(String title, String name) {
        assertThat(SecretNames.of(title, Set.of("taken"))).isEqualTo(name);
        assertThat(SecretNames.of(title + "x".repeat(100), Set.of()).length()).isLessThanOrEqualTo(64);
    }

    @Test
    void showsNothingOfASecret() {
        assertThat(read("API_KEY=hidden-value").toString()).doesNotContain("hidden-value", "API_KEY");
    }

    private static List<ImportedSecret> read(String file) {
        return SecretFile.read(new SecretValue(file.getBytes(UTF_8)));
    }

    private static List<String> values(List<ImportedSecret> secrets) {
        return secrets.stream().map(secret -> text(secret.value())).toList();
    }

    private static String text(SecretValue value) {
        return new String(value.reveal(Reveal.TO_SEAL), UTF_8);
    }
}
