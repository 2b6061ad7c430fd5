package dev.postern.gate.agent;

import static dev.postern.gate.agent.Right.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A1, A2. */
class RoleTest {
    /** What the contract keeps from an agent's credential, and what decides about agents. */
    private static final Set<Right> PEOPLE_ONLY =
            EnumSet.complementOf(EnumSet.of(CALL_TOOLS, USE_SECRETS, LIST_SECRETS, PRESIGN_SECRETS));

    @ParameterizedTest
    @EnumSource(Right.class)
    @DisplayName("A1: an agent lists and uses; it never writes, approves, grants, mints a bare link or changes policy")
    void anAgentDecidesNothing(Right right) {
        assertThat(Role.AGENT.may(right)).isEqualTo(!PEOPLE_ONLY.contains(right));
    }

    @Test
    @DisplayName("A2: member, approver and admin each have all that the one before has")
    void rolesOfPeopleGrow() {
        assertThat(Role.APPROVER.rights()).containsAll(Role.MEMBER.rights());
        assertThat(Role.ADMIN.rights()).containsAll(Role.APPROVER.rights());
        assertThat(Role.ADMIN.rights()).containsAll(EnumSet.complementOf(EnumSet.of(CALL_TOOLS, USE_SECRETS)));
    }

    @Test
    @DisplayName("A2: a member writes its own secrets only, an approver decides, an admin makes the rules")
    void eachRoleHasItsOwn() {
        assertThat(Role.MEMBER.may(WRITE_OWN_SECRETS)).isTrue();
        assertThat(Role.MEMBER.may(DECIDE_APPROVALS)).isFalse();
        assertThat(Role.APPROVER.may(DECIDE_APPROVALS)).isTrue();
        assertThat(Role.APPROVER.may(ENGAGE_KILL_SWITCH)).isTrue();
        assertThat(Role.APPROVER.may(RELEASE_KILL_SWITCH)).isFalse();
        assertThat(Role.APPROVER.may(APPLY_POLICY)).isFalse();
        assertThat(Role.APPROVER.may(WRITE_ALL_SECRETS)).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Role.class)
    void aLabelIsReadBack(Role role) {
        assertThat(Role.parse(role.label())).isEqualTo(role);
        assertThatIllegalArgumentException().isThrownBy(() -> Role.parse(role.label() + "s"));
    }
}
