// A connection to a table that comes back by itself.

export class TableSocket {
  constructor(table, tokens, { onMessage, onLine }) {
    Object.assign(this, { table, tokens, onMessage, onLine, waiting: new Map(), number: 0, delay: 500, over: false });
    this.connect();
    window.addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.hurry(); });
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/socket`);
    this.socket = socket;
    socket.addEventListener("open", () => {
      socket.send(JSON.stringify({ type: "join", table: this.table, tokens: this.tokens, narrow: matchMedia("(max-width: 42rem)").matches }));
    });
    socket.addEventListener("message", (event) => {
      const message = JSON.parse(event.data);
      this.delay = 500;
      this.onLine("");
      if (message.type === "done" || message.type === "refused") this.settle(message);
      else this.onMessage(message);
    });
    socket.addEventListener("close", (event) => {
      for (const { reject } of this.waiting.values()) reject(new Error("The connection was lost; try again."));
      this.waiting.clear();
      if (this.over || event.code === 4404) return;
      this.onLine("Reconnecting …");
      this.timer = setTimeout(() => this.connect(), this.delay);
      this.delay = Math.min(this.delay * 2, 10000);
    });
  }

  hurry() {
    if (this.socket.readyState !== WebSocket.CLOSED || this.over) return;
    clearTimeout(this.timer);
    this.delay = 500;
    this.connect();
  }

  settle(message) {
    const waiting = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.type === "done") waiting?.resolve();
    else if (waiting) waiting.reject(new Error(message.text));
    else { this.over = true; this.onMessage({ type: "gone", text: message.text }); }
  }

  /** Ask for something; resolves when it is done, rejects with the reason why not. */
  ask(message) {
    if (this.socket.readyState !== WebSocket.OPEN) return Promise.reject(new Error("There is no connection at the moment."));
    const id = ++this.number;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.socket.send(JSON.stringify({ ...message, id }));
    });
  }
}
