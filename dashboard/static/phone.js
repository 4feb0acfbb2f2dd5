// Asks this browser for messages (Web Push), and stops them again.
"use strict";

(() => {
  const panel = document.querySelector("[data-phone]");
  if (!panel) return;
  const show = (state) => { panel.dataset.state = state; };
  const send = (address, body) => fetch(address, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  const bytes = (text) => {
    const base64 = text.replace(/-/g, "+").replace(/_/g, "/");
    return Uint8Array.from(atob(base64 + "=".repeat((4 - (base64.length % 4)) % 4)), (letter) => letter.charCodeAt(0));
  };
  if (!("serviceWorker" in navigator) || !("PushManager" in window)) return show("denied");

  const registered = navigator.serviceWorker.register(panel.dataset.worker);
  const current = async () => (await registered).pushManager.getSubscription();
  const look = async () => show((await current()) ? "on" : "off");

  panel.querySelector("[data-phone-on]").addEventListener("click", async () => {
    try {
      const manager = (await registered).pushManager;
      const subscription = await manager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(panel.dataset.phone) });
      const answer = await send(panel.dataset.on, subscription.toJSON());
      if (!answer.ok) await subscription.unsubscribe();
      await look();
    } catch (refused) { show("denied"); }
  });
  panel.querySelector("[data-phone-off]").addEventListener("click", async () => {
    const subscription = await current();
    if (subscription) {
      await send(panel.dataset.off, { endpoint: subscription.endpoint });
      await subscription.unsubscribe();
    }
    await look();
  });
  look().catch(() => show("denied"));
})();
