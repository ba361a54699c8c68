/**
 * Ends the sandbox's chains when the sandbox itself is gone, however it went.
 *
 * The sandbox tells this process over a pipe which processes it started ("+pid") and which have ended ("-pid").
 * The kernel closes the pipe with the sandbox, also on SIGKILL; that is the sign to end what is left. It is a
 * program of its own in plain JavaScript because nothing inside the dying process could do it. It runs in a
 * session of its own, so the signals that a closing terminal sends do not reach it before its work is done.
 */
const running = new Set();
let rest = '';

process.stdin.setEncoding('utf8');
process.stdin.on('data', text => {
  const lines = (rest + text).split('\n');
  rest = lines.pop();
  for (const line of lines) {
    const pid = Number(line.slice(1));
    if (line.startsWith('+')) running.add(pid);
    else running.delete(pid);
  }
});
process.stdin.on('close', () => {
  for (const pid of running) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
  process.exit();
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
