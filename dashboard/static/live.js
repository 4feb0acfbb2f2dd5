// Keeps the page the same as the table, one whole picture at a time. The stream is shared with the other tabs
// where the browser can (streams.js); elsewhere it is the browser's own EventSource.
"use strict";

(() => {
  const SILENCE_MS = 25000; // The server speaks every ten seconds; twice missed is too long.
  const FIRST_RETRY_MS = 2000;
  const LONGEST_RETRY_MS = 30000;

  const main = document.querySelector("[data-stream]");
  const badge = document.querySelector("[data-badge]");
  if (!main || !badge) return;

  let stream = null;
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
    if (stream) stream.close();
  };

  // What somebody is choosing on a tablet stays chosen while the picture around it is drawn anew.
  const chosen = () => ({
    unfolded: [...main.querySelectorAll("details[open][id]")].map((part) => part.id),
    fields: [...main.querySelectorAll("form[id] input:checked, form[id] select")].map((field) => [field.form.id, field.name, field.value]),
  });
  const choose = ({ unfolded, fields }) => {
    for (const id of unfolded) { const part = document.getElementById(id); if (part) part.open = true; }
    for (const [id, name, value] of fields) {
      const form = document.getElementById(id);
      for (const field of form ? form.elements : []) {
        if (field.name !== name) continue;
        if (field.type === "radio") field.checked = field.value === value;
        else if (field.tagName === "SELECT") field.value = value;
      }
    }
  };
  const replace = (...nodes) => {
    const choices = chosen();
    main.replaceChildren(...nodes);
    choose(choices);
  };

  const draw = (html) => {
    const holder = document.createElement("template");
    holder.innerHTML = html;
    replace(holder.content);
    heard();
  };

  // Without a stream the page itself is fetched now and then: too many viewers, or logged out meanwhile.
  const fetchPage = async () => {
    const answer = await fetch(location.href, { redirect: "manual", cache: "no-store" });
    // Logged out, or a tablet that is no longer paired: the page itself says what to do.
    if (answer.type === "opaqueredirect" || answer.status === 401 || answer.status === 403) return location.reload();
    if (!answer.ok) return show("lost");
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    replace(...page.querySelector("[data-stream]").childNodes);
    return show("full");
  };

  const failed = (refused) => {
    show("lost");
    // Refused rather than broken off: the browser does not try again by itself.
    if (!refused) return;
    close();
    fetchPage().catch(() => show("lost"));
    retry = setTimeout(open, retryMs * (0.75 + Math.random() / 2));
    retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
  };

  const ownStream = () => {
    let source = null;
    const end = () => { if (source) source.close(); source = null; };
    return {
      isShared: false,
      close: end,
      open: () => {
        end();
        source = new EventSource(main.dataset.stream);
        source.addEventListener("heartbeat", heard);
        source.addEventListener("picture", (event) => draw(event.data));
        source.addEventListener("error", () => { if (source) failed(source.readyState === EventSource.CLOSED); });
      },
    };
  };

  const sharedStream = () => {
    const { port } = new SharedWorker(main.dataset.worker, { name: document.documentElement.lang });
    const [address] = main.dataset.stream.split("?"); // The worker says the language itself.
    let isOpen = false;
    port.addEventListener("message", ({ data }) => {
      if (!isOpen) return;
      if (data.kind === "picture") draw(data.html);
      else if (data.kind === "heard") heard();
      else if (data.kind === "closed") failed(true);
      else if (data.kind === "full") fetchPage().catch(() => show("lost"));
      else show("lost");
    });
    port.start();
    window.addEventListener("pagehide", (event) => { if (!event.persisted) port.postMessage({ gone: true }); });
    return {
      isShared: true,
      close: () => { isOpen = false; port.postMessage({ close: true }); },
      open: () => { isOpen = true; port.postMessage({ open: address }); },
    };
  };

  function open() {
    clearTimeout(retry);
    stream = stream || ("SharedWorker" in window && main.dataset.worker ? sharedStream() : ownStream());
    stream.open();
  }

  // A hidden tab gives back a connection of its own; in a shared one it stays, so that the desk can still sound.
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) open();
    else if (!stream || !stream.isShared) close();
  });
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", (event) => { if (event.persisted) open(); });
  if (!document.hidden) open();
})();
