// In a process of its own: how long the import takes and the first state. Prints both, in ms.

const start = performance.now();
const { ClientState } = await import("../pkg/dist/index.js");
const imported = performance.now();
new ClientState();
const made = performance.now();
console.log(JSON.stringify([imported - start, made - imported]));
