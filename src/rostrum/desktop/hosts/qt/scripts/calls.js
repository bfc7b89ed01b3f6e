// Runs in the main world of pages that call the platform, before any script of the page.
(function () {
  "use strict";
  __CONNECT__
  const waiting = new Map();
  const listeners = new Map();
  let last = 0;

  function call(method, args) {
    return new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      port.postMessage({ n: last, op: "call", args: { method, arguments: args ?? {} } });
    });
  }

  function on(event, callback) {
    const all = listeners.get(event) || new Set();
    listeners.set(event, all.add(callback));
    return () => all.delete(callback);
  }

  port.onmessage = ({ data: message }) => {
    if (message.n !== undefined) {
      const promise = waiting.get(message.n);
      waiting.delete(message.n);
      if (promise) {
        message.error === undefined ? promise.resolve(message.result) : promise.reject(new Error(message.error));
      }
    } else {
      for (const callback of listeners.get(message.event) || []) {
        callback(message.data);
      }
    }
  };

  __OFFER__
})();
