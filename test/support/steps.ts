/** Tells the test runner which test is running; it serves this to each of its pages, before mocha. */
import {tellSteps, type Runner} from './limits.js';

const sessionId = new URL(location.href).searchParams.get('wtr-session-id');

// Mocha's runner is put there before the first test begins.
Object.defineProperty(window, '__WTR_MOCHA_RUNNER__', {
  set(runner: Runner) {
    const {webSocket} = (window as unknown as {__WDS_WEB_SOCKET__: {webSocket: WebSocket}}).__WDS_WEB_SOCKET__;
    // At once: mocha starts a test in the same turn.
    tellSteps(runner, step => webSocket.send(JSON.stringify({type: 'test-step', sessionId, step})));
  },
});
