// node engine_client.js [GAME] [SECONDS]: lets Icarus play a game against itself.  ICARUS may name the command to start.
const { spawn } = require("node:child_process");
const [game, seconds] = [process.argv[2] || "connect_four", Number(process.argv[3] || 0.5)];
const [command, ...first] = (process.env.ICARUS || "icarus").split(" ");
const engine = spawn(command, [...first, "engine"], { stdio: ["pipe", "pipe", "inherit"] });
const send = (message) => engine.stdin.write(JSON.stringify(message) + "\n");
const think = (state) => (state.over ? finish(state) : send({ cmd: "go", seconds, every: seconds / 4 }));
const finish = (state) => { console.log("rewards:", state.rewards.join(" ")); send({ cmd: "quit" }); };
const answers = {
  hello: () => send({ cmd: "new", game }),
  new: think,
  play: think,
  analysis: (now) => console.log(`  ${now.move} after ${now.iterations} iterations: ${now.principal_variation.join(" ")}`),
  best: (found) => { console.log(`player ${found.player}: ${found.move}`); send({ cmd: "play", moves: [found.move] }); },
  error: (problem) => { console.error(problem.error); process.exitCode = 2; send({ cmd: "quit" }); },
};
require("node:readline").createInterface({ input: engine.stdout }).on("line", (line) => {
  const answer = JSON.parse(line);
  answers[answer.type]?.(answer);
});
