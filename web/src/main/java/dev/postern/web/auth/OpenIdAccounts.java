package dev.postern.web.auth;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.postern.gate.agent.Role;
import dev.postern.gate.person.Person;
import dev.postern.gate.person.ProviderAccount;
import dev.postern.web.openid.OpenIdSettings;
import java.text.ParseException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Who of the people here a provider's account is. Whoever is nobody here stays it: no account is made, and none becomes an
 * administrator (A2).
 */
final class OpenIdAccounts {
    private static final String ACTOR = "openid";

    private final OpenIdSettings settings;
    private final People people;

    OpenIdAccounts(OpenIdSettings settings, People people) {
        this.settings = settings;
        this.people = people;
    }

    /** The account that claims are of. */
    ProviderAccount account(JWTClaimsSet claims) {
        return new ProviderAccount(settings.issuer(), claims.getSubject());
    }

    /** Whether an account is one of this provider's. */
    boolean isOfProvider(Optional<ProviderAccount> account) {
        return account.filter(one -> one.issuer().equals(settings.issuer())).isPresent();
    }

    /** By subject, or by a claim that names a person; an e-mail address counts once the provider has verified it. */
    Optional<Person> person(JWTClaimsSet claims) throws ParseException {
        String listed = settings.subjects().get(claims.getSubject());
        if (listed != null) {
            return people.named(listed);
        }
        String claim = settings.claim();
        if (claim == null || (claim.equals(OpenIdSettings.EMAIL) && !isVerified(claims))) {
            return Optional.empty();
        }
        String name = claims.getStringClaim(claim);
        return name == null || name.equals(Person.OPERATOR) ? Optional.empty() : people.named(name);
    }

    /** Some providers write the flag as text. */
    private static boolean isVerified(JWTClaimsSet claims) {
        return "true".equals(String.valueOf(claims.getClaim(OpenIdSettings.EMAIL_VERIFIED)));
    }

    /** The role that a group gives, where that is configured; administrators are made and unmade here alone. */
    Person withRole(Person person, JWTClaimsSet claims) {
        String claim = settings.rolesClaim();
        if (claim == null || person.role() == Role.ADMIN) {
            return person;
        }
        Object groups = claims.getClaim(claim);
        Collection<?> held = groups instanceof Collection<?> several ? several : List.of(String.valueOf(groups));
        Role role = held.stream().anyMatch(group -> settings.roles().get(String.valueOf(group)) == Role.APPROVER)
                ? Role.APPROVER
                : Role.MEMBER;
        if (role != person.role()) {
            people.changeRole(person.id(), role, ACTOR);
        }
        return people.find(person.id()).orElse(person);
    }
}
