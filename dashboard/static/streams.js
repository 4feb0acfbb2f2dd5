// One stream for all tabs of this browser: it keeps only six connections to one server.
// A page says { open: "/tafel/1/stroom" } or { close: true }; it hears of pictures, of life and of failures.
"use strict";

const SILENCE_MS = 25000; // The server speaks every ten seconds; twice missed is too long.
const TOGETHER_MS = 30; // Pages that open at the same moment are taken together.
const FIRST_RETRY_MS = 2000;
const LONGEST_RETRY_MS = 30000;
const language = self.name;
const pages = new Map(); // The port of each page, to the address that it shows; "" while it shows nothing.
const pictures = new Map(); // The last picture of each address in the stream.
let source = null;
let opened = new Set();
let silence = 0;
let soon = 0;
let retry = 0;
let retryMs = FIRST_RETRY_MS;

const tell = (address, message) => {
  for (const [port, own] of pages) if (own && (!address || own === address)) port.postMessage(message);
};

const close = () => {
  clearTimeout(silence);
  clearTimeout(retry);
  retry = 0;
  if (source) source.close();
  source = null;
  opened = new Set();
  pictures.clear();
};

const heard = () => {
  clearTimeout(silence);
  silence = setTimeout(() => { tell("", { kind: "lost" }); close(); follow(); }, SILENCE_MS);
};

// Every place is taken: the pages help themselves meanwhile, and one of them alone must not keep on asking.
const refused = () => {
  tell("", { kind: "full" });
  clearTimeout(silence);
  retry = setTimeout(() => { close(); follow(); }, retryMs * (0.75 + Math.random() / 2));
  retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
};

// Another address makes a new stream; one that nobody shows any more is left in it until then.
function follow() {
  const wanted = new Set([...pages.values()].filter((address) => address));
  if (!wanted.size) return close();
  if (retry || (source && [...wanted].every((address) => opened.has(address)))) return undefined;
  close();
  opened = wanted;
  const parts = [...wanted].map((address) => `deel=${encodeURIComponent(address)}`);
  const stream = new EventSource(`/stromen?spreekt=${language}&${parts.join("&")}`);
  source = stream;
  heard();
  stream.addEventListener("heartbeat", () => { heard(); retryMs = FIRST_RETRY_MS; tell("", { kind: "heard" }); });
  stream.addEventListener("error", () => {
    if (stream !== source) return;
    if (stream.readyState === EventSource.CLOSED) refused();
    else tell("", { kind: "lost" }); // Broken off: the browser tries again by itself.
  });
  for (const address of wanted) {
    stream.addEventListener(`picture ${address}`, (event) => {
      heard();
      pictures.set(address, event.data);
      tell(address, { kind: "picture", html: event.data });
    });
    stream.addEventListener(`closed ${address}`, () => {
      opened.delete(address);
      tell(address, { kind: "closed" });
    });
  }
  return undefined;
}

self.addEventListener("connect", (event) => {
  const port = event.ports[0];
  pages.set(port, "");
  port.addEventListener("message", ({ data }) => {
    pages.set(port, data.open || "");
    if (data.gone) pages.delete(port);
    clearTimeout(soon);
    soon = setTimeout(follow, TOGETHER_MS);
    if (data.open && pictures.has(data.open)) port.postMessage({ kind: "picture", html: pictures.get(data.open) });
  });
  port.start();
});
