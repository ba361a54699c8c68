/**
 * A browser through classic W3C WebDriver, as far as tests need it: the only protocol of WebKit's driver. Keyboard and
 * mouse have puppeteer's names, so that test commands find them.
 */
import {spawn, type ChildProcess} from 'node:child_process';
import {createServer, type AddressInfo} from 'node:net';

/** How to start a driver: it listens on a given port, and opens the browser of the capabilities. */
export interface DriverProgram {
  readonly command: string;
  readonly args: (port: number) => readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly capabilities: Readonly<Record<string, unknown>>;
}

export interface Driver {
  readonly url: string;
  close(): Promise<void>;
}

export async function startDriver({command, args, env}: DriverProgram): Promise<Driver> {
  const port = await freePort();
  const child = spawn(command, args(port), {env: {...process.env, ...env}, stdio: 'ignore'});
  const url = `http://127.0.0.1:${String(port)}`;
  for (let turn = 0; !(await answers(url)); turn++) {
    if (turn > 100 || child.exitCode !== null) throw new Error(`${command} does not answer.`);
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  return {url, close: () => end(child)};
}

async function answers(url: string): Promise<boolean> {
  return fetch(`${url}/status`).then(
    ({ok}) => ok,
    () => false,
  );
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise(resolve => child.once('exit', resolve));
  child.kill();
  await ended;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
  const {port} = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return port;
}

type Action = Readonly<Record<string, unknown>>;

/** A separate window with empty storage. */
export class WebDriverPage {
  readonly #session: string;
  #url = '';

  private constructor(session: string) {
    this.#session = session;
  }

  static async open(driver: Driver, {capabilities}: DriverProgram): Promise<WebDriverPage> {
    const {sessionId} = (await send('POST', `${driver.url}/session`, {
      capabilities: {alwaysMatch: capabilities},
    })) as {sessionId: string};
    return new WebDriverPage(`${driver.url}/session/${sessionId}`);
  }

  async goto(url: string): Promise<void> {
    this.#url = url;
    await this.#post('url', {url});
  }

  url(): string {
    return this.#url;
  }

  /** Runs a function in the page. It uses nothing from its scope, and returns JSON. */
  async evaluate<T, Args extends unknown[]>(work: (...args: Args) => T, ...args: Args): Promise<Awaited<T>> {
    // The compiler adds calls of this helper to named functions.
    const script = `globalThis.__name ??= value => value; return (${work.toString()})(...arguments);`;
    return (await this.#post('execute/sync', {script, args})) as Awaited<T>;
  }

  readonly keyboard = {
    type: (text: string) => this.#keys(Array.from(text).flatMap(key => [pressed(key), released(key)])),
    press: (key: string) => this.#keys([pressed(key), released(key)]),
    down: (key: string) => this.#keys([pressed(key)]),
    up: (key: string) => this.#keys([released(key)]),
  };

  readonly mouse = {
    move: (x: number, y: number) => this.#pointer([moved(x, y)]),
    click: (x: number, y: number) => this.#pointer([moved(x, y), button('pointerDown'), button('pointerUp')]),
    down: () => this.#pointer([button('pointerDown')]),
    up: () => this.#pointer([button('pointerUp')]),
    reset: () => send('DELETE', `${this.#session}/actions`),
  };

  /** Resizes the page. The window around it is larger, by an unknown amount. */
  async setViewport({width, height}: {readonly width: number; readonly height: number}): Promise<void> {
    for (let turn = 0; turn < 5; turn++) {
      const inner = await this.evaluate(() => ({width: innerWidth, height: innerHeight}));
      if (inner.width === width && inner.height === height) return;
      const outer = (await send('GET', `${this.#session}/window/rect`)) as {width: number; height: number};
      const rect = {width: outer.width + width - inner.width, height: outer.height + height - inner.height};
      await this.#post('window/rect', rect);
      await new Promise(resolve => setTimeout(resolve, 100));
    }
    throw new Error(`The page does not get ${String(width)} by ${String(height)} pixels.`);
  }

  async close(): Promise<void> {
    await send('DELETE', this.#session);
  }

  #keys(actions: readonly Action[]): Promise<unknown> {
    return this.#post('actions', {actions: [{type: 'key', id: 'keyboard', actions}]});
  }

  #pointer(actions: readonly Action[]): Promise<unknown> {
    return this.#post('actions', {
      actions: [{type: 'pointer', id: 'mouse', parameters: {pointerType: 'mouse'}, actions}],
    });
  }

  #post(command: string, body: unknown): Promise<unknown> {
    return send('POST', `${this.#session}/${command}`, body);
  }
}

async function send(method: string, url: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(url, {
    method,
    ...(body !== undefined && {body: JSON.stringify(body), headers: {'content-type': 'application/json'}}),
  });
  const {value} = (await answer.json()) as {value: unknown};
  if (answer.ok) return value;
  const {error, message} = value as {error?: string; message?: string};
  throw new Error(`${method} ${new URL(url).pathname}: ${error ?? ''} ${message ?? ''}`);
}

const pressed = (key: string): Action => ({type: 'keyDown', value: KEYS[key] ?? key});
const released = (key: string): Action => ({type: 'keyUp', value: KEYS[key] ?? key});
const moved = (x: number, y: number): Action => ({type: 'pointerMove', duration: 0, x, y});
const button = (type: 'pointerDown' | 'pointerUp'): Action => ({type, button: 0});

/** Keys without a character (WebDriver, 17.4.2). */
const KEYS: Readonly<Record<string, string>> = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE007',
  Shift: '\uE008',
  Control: '\uE009',
  Alt: '\uE00A',
  Escape: '\uE00C',
  PageUp: '\uE00E',
  PageDown: '\uE00F',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Delete: '\uE017',
  Meta: '\uE03D',
};
