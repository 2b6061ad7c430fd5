// What the portal's pages do beyond their forms. Everything works without it; with it pages are live: lists follow what
// happens, countdowns run, a lost connection is told and comes back, keys move around.
"use strict";
(() => {
  const root = document.documentElement;
  const body = document.body;
  const one = (selector, within = document) => within.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  root.classList.add("enhanced");

  // Menu of narrow screens.
  const side = one(".side");
  const menuButton = one(".menu-button");
  menuButton?.addEventListener("click", () => {
    menuButton.setAttribute("aria-expanded", String(side.classList.toggle("open")));
  });

  // Countdowns. The server's clock counts: the first event of the stream says what it shows.
  let ahead = 0;
  const spell = (millis) => {
    const seconds = Math.max(0, Math.ceil(millis / 1000));
    return Math.floor(seconds / 60) + ":" + String(seconds % 60).padStart(2, "0") + " left";
  };
  const tick = () => {
    for (const time of all("[data-expires]")) {
      const left = Number(time.dataset.expires) - (Date.now() + ahead);
      const card = time.closest(".approval");
      time.textContent = left > 0 ? spell(left) : "expired";
      if (!card) continue;
      const progress = one("[data-progress]", card);
      if (progress) progress.value = Math.max(0, left);
      card.classList.toggle("urgent", left < 30000);
      if (left <= 0 && !card.classList.contains("gone")) retire(card, "Expired: nobody decided in time, which denies the call.");
    }
  };

  // A request that somebody else decided stays where it is, so that nothing jumps under the pointer.
  const retire = (card, why) => {
    if (card.classList.contains("gone")) return;
    card.classList.add("gone");
    const said = document.createElement("p");
    said.setAttribute("role", "status");
    said.textContent = why;
    one("footer", card)?.replaceChildren(said);
    const box = one("input[type=checkbox]", card);
    if (box) { box.checked = false; box.disabled = true; }
    const time = one("[data-expires]", card);
    if (time) { time.removeAttribute("data-expires"); time.textContent = ""; }
    countSelected();
  };

  const parse = (html) => {
    const parsed = new DOMParser().parseFromString(html, "text/html");
    return [...parsed.body.children];
  };

  const load = async (src) => {
    const answer = await fetch(src, {headers: {Accept: "text/html"}, redirect: "manual"});
    if (answer.type === "opaqueredirect" || answer.status === 401) { signedOut(); throw new Error("signed out"); }
    if (!answer.ok) throw new Error(String(answer.status));
    return answer.text();
  };

  const queue = one("#queue");
  const refreshQueue = async () => {
    if (!queue) return;
    const fresh = parse(await load(queue.dataset.src));
    const ids = new Set(fresh.map((element) => element.id));
    for (const card of all("[data-approval]", queue)) {
      if (!ids.has(card.id)) retire(card, "Decided elsewhere, or taken back by the agent.");
    }
    for (const element of [...queue.children]) {
      if (!element.matches("[data-approval]") && !ids.has(element.id)) element.remove();
    }
    let last = all("[data-approval]", queue).at(-1);
    for (const element of fresh) {
      if (document.getElementById(element.id)) continue;
      const adopted = document.adoptNode(element);
      if (adopted.matches("[data-approval]")) {
        adopted.classList.add("new");
        if (last) last.after(adopted); else queue.prepend(adopted);
        last = adopted;
        guard(adopted);
        notify(adopted);
      } else {
        queue.append(adopted);
      }
    }
    tick();
    countSelected();
  };

  const refreshDecided = async () => {
    const decided = one("#decided");
    if (!decided || decided.contains(document.activeElement)) return;
    decided.replaceChildren(...parse(await load(decided.dataset.src)));
    follow();
  };
  // A call that was approved and has not ended yet is looked at again.
  let following = 0;
  const follow = () => {
    clearTimeout(following);
    if (one("#decided [data-open]")) following = setTimeout(() => refreshDecided().catch(() => {}), 1500);
  };

  // What just appeared cannot be pressed by a click, or an Enter, that was meant for something else. Its buttons take the
  // focus all the same, so that no key is lost meanwhile.
  const guard = (card) => {
    const buttons = all("footer button", card);
    card.classList.add("arming");
    buttons.forEach((button) => button.setAttribute("aria-disabled", "true"));
    setTimeout(() => {
      card.classList.remove("arming");
      buttons.forEach((button) => button.removeAttribute("aria-disabled"));
    }, 700);
  };
  document.addEventListener("click", (event) => {
    if (event.target.closest?.(".arming footer button")) event.preventDefault();
  }, true);
  document.addEventListener("submit", (event) => {
    if (event.target.closest(".arming")) event.preventDefault();
  }, true);
  all("[data-approval]", queue ?? root).forEach(guard);

  const countSelected = () => {
    const said = one("[data-selected]");
    if (!said) return;
    const count = all("input[form=batch]:checked").length;
    said.closest("form").classList.toggle("some", count > 0);
    said.textContent = count === 0 ? "Tick requests above; each is decided on its own." : count + " selected";
  };
  document.addEventListener("change", (event) => {
    if (event.target.matches("input[form=batch]")) countSelected();
  });

  // Notifications, once somebody asked for them.
  const notifyButton = one("[data-notify]");
  if (notifyButton && "Notification" in window) {
    notifyButton.hidden = Notification.permission !== "default";
    notifyButton.addEventListener("click", async () => {
      await Notification.requestPermission();
      notifyButton.hidden = Notification.permission !== "default";
    });
  }
  const notify = (card) => {
    if (!("Notification" in window) || Notification.permission !== "granted") return;
    if (document.visibilityState === "visible" && document.hasFocus()) return;
    const shown = new Notification("A call waits for you", {
      body: card.dataset.agent + " asks for " + card.dataset.tool, tag: card.dataset.approval});
    shown.addEventListener("click", () => { window.focus(); card.focus(); shown.close(); });
  };

  const showWaiting = (count) => {
    for (const badge of all("[data-waiting]")) {
      badge.hidden = count === 0;
      one("[data-count]", badge).textContent = String(count);
    }
    document.title = (count > 0 ? "(" + count + ") " : "") + body.dataset.title + " · Postern";
  };

  // The live connection.
  const connection = one("[data-connection]");
  const say = (state, text) => {
    if (!connection || (connection.dataset.state === state && connection.dataset.said === text)) return;
    connection.dataset.said = text;
    connection.dataset.state = state;
    connection.textContent = text;
  };
  const signedOut = () => {
    say("lost", "You are signed out. ");
    if (connection && !one("a", connection)) {
      const link = document.createElement("a");
      link.href = "/sign-in";
      link.textContent = "Sign in again";
      connection.append(link);
    }
    stream?.close();
    stream = null;
  };
  let stream = null;
  let pause = 1000;
  let again = 0;
  const refresh = () => Promise.all([refreshQueue(), refreshDecided()]).catch(() => {});
  const connect = () => {
    clearTimeout(again);
    stream?.close();
    stream = new EventSource(body.dataset.live);
    const mine = stream;
    mine.addEventListener("hello", (event) => {
      const hello = JSON.parse(event.data);
      ahead = hello.now - Date.now();
      pause = 1000;
      say("open", connection?.dataset.state === "lost" ? "Live again" : "Live");
      showWaiting(hello.waiting);
      killed(hello.killed);
      refresh();
    });
    mine.addEventListener("approvals", (event) => { showWaiting(JSON.parse(event.data).waiting); refresh(); });
    mine.addEventListener("calls", () => { refreshDecided().catch(() => {}); });
    mine.addEventListener("kill", (event) => killed(JSON.parse(event.data).killed));
    mine.addEventListener("error", () => {
      if (mine !== stream) return;
      say("lost", "Connection lost. Trying again…");
      if (mine.readyState === EventSource.CLOSED) {
        // Refused, not broken: signed out, or the gateway is starting.
        again = setTimeout(async () => {
          pause = Math.min(pause * 2, 15000);
          try { await load("/live/state"); } catch { if (!stream) return; }
          connect();
        }, pause);
      }
    });
  };
  const killed = (now) => {
    // The banner comes with the page; forms stay as they are until it is loaded again.
    const shown = Boolean(one("[data-killed=all]"));
    one("[data-kill-changed]")?.remove();
    if (now === shown) return;
    const said = document.createElement("div");
    said.className = "notice " + (now ? "bad" : "good");
    said.setAttribute("role", "alert");
    said.dataset.killChanged = "";
    said.textContent = now ? "Every call was stopped: somebody turned the kill switch on." : "Calls run again: the kill switch was released.";
    one("main").prepend(said);
  };
  if (body.dataset.live) {
    connect();
    window.addEventListener("online", connect);
    window.addEventListener("offline", () => say("lost", "Connection lost. Trying again…"));
    window.addEventListener("pagehide", () => { stream?.close(); });
    window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  }
  tick();
  setInterval(tick, 500);
  follow();

  // Keys. They move the focus; none of them decides.
  const help = one("#help");
  const useKeys = one("[data-shortcuts]");
  const stored = (() => { try { return localStorage.getItem("shortcuts"); } catch { return null; } })();
  if (useKeys) {
    useKeys.checked = stored !== "off";
    useKeys.addEventListener("change", () => {
      try { localStorage.setItem("shortcuts", useKeys.checked ? "on" : "off"); } catch { /* not kept, then */ }
    });
  }
  const places = {a: "/approvals", v: "/vault", l: "/ledger", o: "/"};
  let going = false;
  const current = () => document.activeElement?.closest(".approval:not(.gone)") ?? one(".approval:not(.gone)");
  const step = (by) => {
    const cards = all(".approval:not(.gone)");
    const at = cards.indexOf(document.activeElement?.closest(".approval"));
    const next = cards[at < 0 ? 0 : Math.min(cards.length - 1, Math.max(0, at + by))];
    next?.focus();
    next?.scrollIntoView({block: "nearest"});
  };
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input:not([type=checkbox]), textarea, select, dialog");
    if (event.ctrlKey || event.metaKey || event.altKey || typing) return;
    if (event.key === "?" && help && !help.open) { event.preventDefault(); help.showModal(); return; }
    if (useKeys && !useKeys.checked) return;
    if (going && places[event.key]) { going = false; location.assign(places[event.key]); return; }
    going = false;
    const card = current();
    switch (event.key) {
      case "j": step(1); break;
      case "k": step(-1); break;
      case "x": one("input[form=batch]", card ?? body)?.click(); break;
      case "a": one("[data-approve]", card ?? body)?.focus(); break;
      case "d": one("[data-note]", card ?? body)?.focus(); break;
      case "g": going = true; setTimeout(() => { going = false; }, 1500); break;
      case "/": one("[data-search]")?.focus(); break;
      default: return;
    }
    event.preventDefault();
  });

  // Copy what is shown once.
  for (const button of all("[data-copy]")) {
    if (!navigator.clipboard) continue;
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent.trim());
      button.textContent = "Copied";
    });
  }

  // Filters apply as soon as a choice is made.
  for (const form of all("form[data-auto]")) {
    form.addEventListener("change", (event) => { if (event.target.matches("select")) form.requestSubmit(); });
  }
})();
