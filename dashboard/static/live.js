// Keeps the page the same as the table: the browser's own EventSource, one whole picture at a time.
"use strict";

(() => {
  const SILENCE_MS = 25000; // The server speaks every ten seconds; twice missed is too long.
  const FIRST_RETRY_MS = 2000;
  const LONGEST_RETRY_MS = 30000;

  const main = document.querySelector("[data-stream]");
  const badge = document.querySelector("[data-badge]");
  if (!main || !badge) return;

  let source = null;
  let silence = 0;
  let retry = 0;
  let retryMs = FIRST_RETRY_MS;

  const show = (state) => {
    if (badge.dataset.state !== state) badge.dataset.state = state;
    document.body.classList.toggle("is-stale", state === "lost" || state === "full");
  };

  const heard = () => {
    clearTimeout(silence);
    silence = setTimeout(() => { show("lost"); open(); }, SILENCE_MS);
    retryMs = FIRST_RETRY_MS;
    show("live");
  };

  const close = () => {
    clearTimeout(silence);
    clearTimeout(retry);
    if (source) source.close();
    source = null;
  };

  // What somebody is choosing on a tablet stays chosen while the picture around it is drawn anew.
  const chosen = () => ({
    open: [...main.querySelectorAll("details[open][id]")].map((part) => part.id),
    fields: [...main.querySelectorAll("form[id] input:checked, form[id] select")].map((field) => [field.form.id, field.name, field.value]),
  });
  const choose = ({ open, fields }) => {
    for (const id of open) { const part = document.getElementById(id); if (part) part.open = true; }
    for (const [id, name, value] of fields) {
      const form = document.getElementById(id);
      for (const field of form ? form.elements : []) {
        if (field.name !== name) continue;
        if (field.type === "radio") field.checked = field.value === value;
        else if (field.tagName === "SELECT") field.value = value;
      }
    }
  };

  const draw = (event) => {
    const holder = document.createElement("template");
    holder.innerHTML = event.data;
    const choices = chosen();
    main.replaceChildren(holder.content);
    choose(choices);
    heard();
  };

  // Without a stream the page itself is fetched now and then: too many viewers, or logged out meanwhile.
  const fetchPage = async () => {
    const answer = await fetch(location.href, { redirect: "manual", cache: "no-store" });
    if (answer.type === "opaqueredirect") return location.reload();
    if (!answer.ok) return show("lost");
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    main.replaceChildren(...page.querySelector("[data-stream]").childNodes);
    return show("full");
  };

  const failed = () => {
    show("lost");
    if (source && source.readyState === EventSource.CLOSED) {
      // Refused rather than broken off: the browser does not try again by itself.
      close();
      fetchPage().catch(() => show("lost"));
      retry = setTimeout(open, retryMs * (0.75 + Math.random() / 2));
      retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
    }
  };

  function open() {
    close();
    source = new EventSource(main.dataset.stream);
    source.addEventListener("heartbeat", heard);
    source.addEventListener("picture", draw);
    source.addEventListener("error", failed);
  }

  // A hidden tab gives its place back: a browser keeps only six connections to one server.
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", (event) => { if (event.persisted) open(); });
  if (!document.hidden) open();
})();
