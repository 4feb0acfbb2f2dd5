// The desk: a sound for what is new, choices that show their effect at once, and one press that stays one press.
"use strict";

(() => {
  // A form that was sent is not sent again, however often its button is pressed.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("[data-once]")) return;
    if (form.dataset.sent) { event.preventDefault(); return; }
    form.dataset.sent = "1";
  });
  window.addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("[data-sent]")) delete form.dataset.sent;
  });

  // Another choice shows its effect; what was typed and where the page stood are kept meanwhile.
  const KEPT = "klaveroog-kept";
  for (const form of document.querySelectorAll("form[data-auto]")) {
    form.addEventListener("change", () => {
      const typed = {};
      for (const field of document.querySelectorAll("[data-keep]")) typed[field.dataset.keep] = field.value;
      const focused = document.activeElement;
      const state = { typed, top: scrollY, name: focused && focused.name, value: focused && focused.value, path: location.pathname };
      sessionStorage.setItem(KEPT, JSON.stringify(state));
      form.requestSubmit();
    });
  }
  const kept = JSON.parse(sessionStorage.getItem(KEPT) || "null");
  sessionStorage.removeItem(KEPT);
  if (kept && kept.path === location.pathname) {
    for (const field of document.querySelectorAll("[data-keep]")) {
      if (kept.typed[field.dataset.keep]) field.value = kept.typed[field.dataset.keep];
    }
    if (kept.name) {
      const same = [...document.getElementsByName(kept.name)].find((field) => field.type !== "radio" || field.value === kept.value);
      if (same) same.focus({ preventScroll: true });
    }
    scrollTo(0, kept.top);
  }

  // What is still being worked out is asked for again until it is there.
  const AGAIN_MS = 1500;
  const follow = (holder) => {
    const waiting = holder.querySelector("[data-again]");
    if (!waiting) return;
    setTimeout(async () => {
      const answer = await fetch(waiting.dataset.again, { cache: "no-store" }).catch(() => null);
      if (answer && answer.ok && !answer.redirected) holder.innerHTML = await answer.text();
      follow(holder);
    }, AGAIN_MS);
  };
  for (const holder of document.querySelectorAll("[data-fragment]")) follow(holder);

  for (const button of document.querySelectorAll("[data-print]")) button.addEventListener("click", () => print());

  // The sound. A browser stays silent until somebody pressed something on the page.
  const main = document.querySelector("[data-stream]");
  const panel = document.querySelector("[data-sound]");
  const news = document.querySelector("[data-news]");
  if (!main || !panel) return;
  const button = panel.querySelector("[data-sound-button]");
  const sound = new Audio(panel.dataset.sound);
  // One thing calls once. That it became surer, or one of its cards is another, calls nobody again; only what
  // somebody was at or had decided, and is open again, does.
  const calls = (selector) => [...main.querySelectorAll(selector)].map((alert) => alert.dataset.call);
  const known = new Set();

  const show = (isOn) => { panel.dataset.state = isOn ? "on" : "off"; button.setAttribute("aria-pressed", String(isOn)); };
  const play = () => { sound.currentTime = 0; return sound.play().then(() => show(true), () => show(false)); };
  show(false);
  button.addEventListener("click", () => {
    if (panel.dataset.state === "on") { sound.pause(); show(false); } else { play(); }
  });

  const title = document.title;
  const look = () => {
    for (const call of calls(".state-acknowledged, .state-decided")) known.delete(call);
    const fresh = calls("[data-fresh]");
    document.title = fresh.length ? `(${new Set(fresh).size}) ${title}` : title;
    const isNew = fresh.filter((call) => !known.has(call));
    for (const call of fresh) known.add(call);
    return isNew;
  };
  const changed = () => {
    const isNew = look();
    if (!isNew.length) return;
    if (panel.dataset.state === "on") play();
    if (news) {
      const first = main.querySelector(`[data-fresh][data-call="${CSS.escape(isNew[0])}"] h3`);
      news.textContent = first ? first.textContent : "";
    }
  };
  look();
  new MutationObserver(changed).observe(main, { childList: true });
})();
