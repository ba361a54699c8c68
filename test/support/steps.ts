/** Tells the test runner which test is running; it serves this to each of its pages, before mocha. */
import {tellSteps, type Runner} from './limits.js';

/** The test runner's own. */
interface TestSocket {
  readonly webSocket: WebSocket;
  readonly webSocketOpened: Promise<void>;
}

const sessionId = new URL(location.href).searchParams.get('wtr-session-id');

// Mocha's runner is put there before the first test begins.
Object.defineProperty(window, '__WTR_MOCHA_RUNNER__', {
  set(runner: Runner) {
    const {webSocket, webSocketOpened} = (window as unknown as {__WDS_WEB_SOCKET__: TestSocket}).__WDS_WEB_SOCKET__;
    tellSteps(runner, step => {
      const tell = () => webSocket.send(JSON.stringify({type: 'test-step', sessionId, step}));
      // At once: mocha starts a test in the same turn. Before it is open, sending throws, which mocha does not survive.
      if (webSocket.readyState === WebSocket.OPEN) tell();
      else void webSocketOpened.then(tell);
    });
  },
});
