package dev.postern.web.portal.view;

import dev.postern.gate.agent.Right;
import java.util.List;

/** The pages of the menu, and the right that each takes. */
public enum Page {
    OVERVIEW("Overview", "/", Right.READ_LEDGER),
    APPROVALS("Approvals", "/approvals", Right.SEE_APPROVALS),
    VAULT("Vault", "/vault", Right.LIST_SECRETS),
    LINK("One-time link", "/link", Right.MINT_BARE_LINKS),
    GRANTS("Grants", "/grants", Right.SEE_APPROVALS),
    LEDGER("Ledger", "/ledger", Right.READ_LEDGER),
    POLICY("Policy", "/policy", Right.READ_POLICY),
    SERVERS("Servers", "/servers", Right.ACCEPT_DEFINITIONS),
    AGENTS("Agents", "/agents", Right.MANAGE_AGENTS),
    PEOPLE("People", "/people", Right.MANAGE_PEOPLE);

    private final String title;
    private final String path;
    private final Right right;

    Page(String title, String path, Right right) {
        this.title = title;
        this.path = path;
        this.right = right;
    }

    public String title() {
        return title;
    }

    public String path() {
        return path;
    }

    public Right right() {
        return right;
    }

    static List<Page> all() {
        return List.of(values());
    }
}
