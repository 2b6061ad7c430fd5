package dev.postern.app.browser;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.Cookie;
import com.microsoft.playwright.options.RequestOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Somebody at a browser of their own: cookies, cache and permissions are nobody else's. */
final class Person implements AutoCloseable {
    private static final Pattern LINK = Pattern.compile(" (?:href|src)=\"(/[^\"]*)\"");

    private final RunningPortal portal;
    private final Browser browser;
    private final BrowserContext context;
    private final List<BrowserContext> others = new ArrayList<>();
    private @Nullable Page page;

    Person(RunningPortal portal, Browser browser) {
        this.portal = portal;
        this.browser = browser;
        this.context = patient(browser.newContext(options()));
    }

    private static Browser.NewContextOptions options() {
        return new Browser.NewContextOptions()
                .setViewportSize(1200, 900)
                .setReducedMotion(com.microsoft.playwright.options.ReducedMotion.REDUCE);
    }

    private static BrowserContext patient(BrowserContext context) {
        context.setDefaultTimeout(InChromium.PATIENCE_MILLIS);
        return context;
    }

    /** Whoever runs this gateway: with the link of the first start, or their passphrase. */
    static Person operator(RunningPortal portal, Browser browser) {
        Person person = new Person(portal, browser);
        String link = portal.takeSignInLink();
        if (link != null) {
            person.choosePassphrase(person.openUrl(link));
        } else {
            Page page = person.open("/sign-in");
            if (page.getByLabel("Name").count() > 0) {
                page.getByLabel("Name").fill("operator");
            }
            page.getByLabel("Passphrase").fill(RunningPortal.PASSPHRASE);
            person.press(page, "Sign in");
        }
        person.tab().waitForURL(portal.url() + "/");
        return person;
    }

    static Person invited(RunningPortal portal, Browser browser, String name, String role) {
        String link;
        try (Person operator = operator(portal, browser)) {
            Page page = operator.open("/people");
            page.locator("#name").fill(name);
            page.locator("#role").selectOption(role);
            operator.press(page, "Make the invitation");
            link = page.locator("#link").textContent().strip();
        }
        Person person = new Person(portal, browser);
        person.choosePassphrase(person.openUrl(link));
        person.tab().waitForURL(Pattern.compile(".*/(vault)?$"));
        return person;
    }

    /** Follows a link without choosing a passphrase. */
    void followWithoutPassphrase(String link) {
        Page page = openUrl(link);
        page.getByRole(AriaRole.BUTTON).last().click();
        page.waitForURL(portal.url() + "/");
    }

    private void choosePassphrase(Page page) {
        page.getByLabel("Passphrase").fill(RunningPortal.PASSPHRASE);
        page.getByLabel("Again").fill(RunningPortal.PASSPHRASE);
        press(page, "Set it and sign in");
    }

    private void press(Page page, String button) {
        page.getByRole(
                        AriaRole.BUTTON,
                        new Page.GetByRoleOptions().setName(button).setExact(true))
                .click();
    }

    private Page tab() {
        Page open = page;
        if (open == null) {
            open = context.newPage();
            page = open;
        }
        return open;
    }

    /** Opens a path in this person's tab. */
    Page open(String path) {
        return openUrl(portal.url() + path);
    }

    Page openUrl(String url) {
        Page tab = tab();
        tab.navigate(url);
        return tab;
    }

    /** Opens a path in another tab. */
    Page openBeside(String path) {
        Page beside = context.newPage();
        beside.navigate(portal.url() + path);
        return beside;
    }

    /** Opens another server's page in another tab. */
    Page openUrlBeside(String url) {
        Page beside = context.newPage();
        beside.navigate(url);
        return beside;
    }

    /** The same session in a browser that runs no scripts. */
    Page openWithoutScripts(String path) {
        return like(options().setJavaScriptEnabled(false)).navigateTo(portal.url() + path);
    }

    /** The same session on a page whose timers run only when the test moves its clock. */
    Page openWithItsOwnClock(String path) {
        Opened opened = like(options());
        opened.page().clock().install();
        Page page = opened.navigateTo(portal.url() + path);
        page.clock().pauseAt((long) (double) page.evaluate("Date.now() + 1000.0") + 1000);
        return page;
    }

    /** The same session where notifications are allowed, nobody looks, and {@code window.notified} holds what was said. */
    Page openWithNotifications(String path) {
        Opened opened = like(options().setPermissions(List.of("notifications")));
        opened.page().addInitScript("""
                window.notified = [];
                document.hasFocus = () => false;
                const Shown = window.Notification;
                window.Notification = class extends Shown {
                  constructor(title, options) { super(title, options); window.notified.push(title + ": " + options.body); }
                };""");
        return opened.navigateTo(portal.url() + path);
    }

    /** The same session with another look. */
    Page openAs(String path, ColorScheme scheme, int width, int height) {
        return like(options().setColorScheme(scheme).setViewportSize(width, height))
                .navigateTo(portal.url() + path);
    }

    private Opened like(Browser.NewContextOptions options) {
        BrowserContext other = patient(browser.newContext(options));
        others.add(other);
        List<Cookie> cookies = new ArrayList<>();
        context.cookies()
                .forEach(cookie -> cookies.add(new Cookie(cookie.name, cookie.value)
                        .setDomain(cookie.domain)
                        .setPath(cookie.path)
                        .setHttpOnly(cookie.httpOnly)
                        .setSameSite(cookie.sameSite)));
        other.addCookies(cookies);
        return new Opened(other.newPage());
    }

    private record Opened(Page page) {
        Page navigateTo(String url) {
            page.navigate(url);
            return page;
        }
    }

    /** A page of another origin in this person's browser, as if they had been led there. */
    Page attacker(String origin, String html) {
        Page lured = context.newPage();
        String address = origin + "/lure";
        lured.route(
                address,
                (Route route) -> route.fulfill(
                        new Route.FulfillOptions().setContentType("text/html").setBody("<!doctype html>" + html)));
        lured.navigate(address);
        return lured;
    }

    /** Gives the passphrase where a page asked for it. */
    void confirm(Page on) {
        on.navigate(portal.url() + "/confirm?to=/");
        if (on.url().contains("/confirm")) {
            on.getByLabel("Passphrase").fill(RunningPortal.PASSPHRASE);
            press(on, "It is me");
            on.waitForURL(url -> !url.contains("/confirm"));
        }
    }

    /** What the server sends for a path, as this person. */
    Fetched fetch(String path) {
        APIResponse response = context.request()
                .get(
                        portal.url() + path,
                        RequestOptions.create().setHeader("Accept", "text/html").setMaxRedirects(5));
        return new Fetched(response.status(), response.headers(), response.text());
    }

    Map<String, String> headers(String path) {
        return fetch(path).headers();
    }

    /** An answer. */
    record Fetched(int status, Map<String, String> headers, String body) {
        boolean isPage() {
            return status == 200 && headers.getOrDefault("content-type", "").startsWith("text/html");
        }

        List<String> links() {
            List<String> links = new ArrayList<>();
            Matcher matcher = LINK.matcher(body);
            while (matcher.find()) {
                links.add(matcher.group(1).replace("&amp;", "&"));
            }
            return links;
        }
    }

    @Override
    public void close() {
        others.forEach(BrowserContext::close);
        context.close();
    }
}
