// Connects this script with the window process through the isolated world, which also has the configuration.
  const channel = new MessageChannel();
  const port = channel.port1;
  let config = {};
  document.addEventListener(`${__EVENT__}-config`, (event) => { config = JSON.parse(event.detail); }, { once: true });
  document.dispatchEvent(new MessageEvent(__EVENT__, { ports: [channel.port2] }));
