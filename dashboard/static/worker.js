// Kept by the browser: shows a message that came while the page was closed, and opens it when it is pressed.
"use strict";

self.addEventListener("push", (event) => {
  const message = event.data ? event.data.json() : {};
  event.waitUntil(self.registration.showNotification(message.title || "Klaveroog", {
    body: message.body || "", tag: message.tag, renotify: Boolean(message.tag), requireInteraction: true,
    data: { url: message.url || "/wedstrijdleider" }, icon: "/static/icon.svg",
  }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(self.clients.openWindow(event.notification.data.url));
});
