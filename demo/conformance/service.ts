/** The service as a page uses it: requests with an origin, their preflights, and the requirements of every response. */
import {setTimeout as pause} from 'node:timers/promises';
import {rootOf} from '../../src/api/settings.js';
import type {CheckId, Findings} from './findings.js';
import {compare, inWords, isFields, type Difference} from './shapes.js';
import {ENVELOPE} from './specification.js';

export interface ServiceOptions {
  /** The URL before `/v2`. */
  readonly baseUrl: string;
  readonly appId: string | undefined;
  readonly appIdHeader: string;
  /** How long a response may take, in seconds: to a read, and to an order or a signature. */
  readonly patience: {readonly read: number; readonly write: number};
  /** The pause between two requests, in milliseconds: services may limit their rate. */
  readonly pause: number;
}

export interface Asked {
  readonly method?: 'GET' | 'OPTIONS' | 'PATCH' | 'POST';
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly request: string;
  readonly status: number;
  readonly ok: boolean;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; `undefined` if it is not JSON. */
  readonly body: unknown;
}

export interface Service {
  /** Sends a request that has to succeed. Returns its result; `undefined` if there is none. */
  result(path: string, asked?: Asked): Promise<unknown>;
  /** Sends a request that has to be rejected. Returns the body's text. */
  refused(id: CheckId, why: string, path: string, asked?: Asked): Promise<string>;
  ask(path: string, asked?: Asked): Promise<Answer | undefined>;
  /** Sends a preflight, as a browser does. */
  preflight(method: 'GET' | 'POST' | 'PATCH', path: string): Promise<void>;
}

/** The origin of a page, which is always another one than the service's. */
const ORIGIN = 'https://partner.example';
/** The longest wait that it accepts from the service (`Retry-After`), in seconds. */
const LONGEST_WAIT = 10;

export function createService(options: ServiceOptions, findings: Findings): Service {
  const {appId, appIdHeader, patience} = options;
  const base = rootOf(options.baseUrl);
  const appHeaders = appId === undefined ? {} : {[appIdHeader]: appId};
  let hasWaited = false;

  async function send(path: string, {method = 'GET', body, headers = {}}: Asked = {}): Promise<Answer | undefined> {
    const request = `${method} ${path}`;
    await pause(options.pause);
    const limit = method === 'GET' ? patience.read : patience.write;
    const began = performance.now();
    let response: Response;
    let text: string;
    try {
      response = await fetch(base + path, {
        method,
        headers: {
          accept: 'application/json',
          origin: ORIGIN,
          ...appHeaders,
          ...(body === undefined ? {} : {'content-type': 'application/json'}),
          ...headers,
        },
        ...(body === undefined ? {} : {body: JSON.stringify(body)}),
        signal: AbortSignal.timeout(limit * 1_000),
      });
      text = await response.text();
    } catch (error) {
      const isLate = error instanceof Error && error.name === 'TimeoutError';
      findings.add(isLate ? 'reach.time' : 'reach.answers', request, [
        {
          at: 'answer',
          expected: isLate ? `within ${String(limit)} s` : 'an answer',
          found: isLate ? 'none by then' : 'the connection broke',
        },
      ]);
      return undefined;
    }
    findings.add('reach.answers', request, []);
    findings.add('reach.time', request, []);
    if (response.status === 429 && !hasWaited) {
      hasWaited = true;
      const wanted = Number(response.headers.get('retry-after') ?? '1');
      findings.note(`${request}: too many requests; the service asked to wait ${String(wanted)} s.`);
      await pause(Math.min(Number.isFinite(wanted) ? wanted : 1, LONGEST_WAIT) * 1_000);
      return send(path, {method, body, headers});
    }
    if (performance.now() - began > 3_000)
      findings.note(`${request}: took ${((performance.now() - began) / 1_000).toFixed(1)} s.`);
    const {status, ok} = response;
    return {request, status, ok, headers: response.headers, text, body: parse(text)};
  }

  function lookAtHeaders({request, headers, ok, body}: Answer) {
    const isSuccess = ok && isFields(body) && body['status'] !== 'Error';
    const origin = headers.get('access-control-allow-origin');
    findings.add(
      isSuccess ? 'cors.answers' : 'cors.errors',
      request,
      origin === null || !['*', ORIGIN].includes(origin)
        ? [{at: 'Access-Control-Allow-Origin', expected: `* or ${ORIGIN}`, found: origin ?? 'no such header'}]
        : [],
    );
    const type = headers.get('content-type') ?? 'no such header';
    const isJson = /^application\/json\b/i.test(type);
    if (isSuccess)
      findings.add(
        'envelope.type',
        request,
        isJson ? [] : [{at: 'Content-Type', expected: 'application/json', found: type}],
      );
  }

  return {
    ask: send,

    async result(path, asked) {
      const answer = await send(path, asked);
      if (!answer) return undefined;
      const {request, status, ok, text, body, headers} = answer;
      lookAtHeaders(answer);
      if ((asked?.method ?? 'GET') === 'GET' && /\/orders\//.test(path)) {
        const kept = headers.get('cache-control') ?? '';
        const isKept = /\bpublic\b|\b(?:s-)?max-?age\s*=\s*[1-9]/i.test(kept) && !/no-(?:store|cache)/i.test(kept);
        findings.add('cache.read', request, isKept ? [{at: 'Cache-Control', expected: 'no-store', found: kept}] : []);
      }
      const said = `${String(status)}, ${text.slice(0, 120) || 'nothing'}`;
      findings.add('envelope.http', request, ok ? [] : [{at: 'HTTP status', expected: '2xx', found: said}]);
      if (!ok) return undefined;
      findings.add(
        'envelope.json',
        request,
        isFields(body) ? [] : [{at: 'body', expected: 'a JSON object', found: inWords(body ?? text)}],
      );
      if (!isFields(body)) return undefined;
      const differences = compare({fields: ENVELOPE}, body, '').map(one => ({...one, at: one.at.slice(1)}));
      const of = (field: string) => differences.filter(({at}) => at === field);
      const because = typeof body['error'] === 'string' ? ` (${body['error']})` : '';
      findings.add(
        'envelope.status',
        request,
        of('status').map(one => ({...one, found: one.found + because})),
      );
      findings.add('envelope.result', request, of('result'));
      return of('status').length ? undefined : body['result'];
    },

    async refused(id, why, path, asked) {
      const answer = await send(path, asked);
      if (!answer) return '';
      const {request, status, ok, text, body} = answer;
      lookAtHeaders(answer);
      const isAccepted = ok && (!isFields(body) || body['status'] === 'Ok' || body['status'] === undefined);
      const said = `${String(status)}, ${text.slice(0, 120) || 'nothing'}`;
      findings.add(id, request, isAccepted ? [{at: why, expected: 'an error', found: said}] : []);
      if (isAccepted) return text;
      findings.add('errors.status', request, status >= 500 ? [{at: why, expected: 'no 5xx', found: said}] : []);
      findings.add(
        'errors.json',
        request,
        isFields(body) ? [] : [{at: why, expected: 'a JSON object', found: text.slice(0, 80)}],
      );
      return text;
    },

    async preflight(method, path) {
      const request = `OPTIONS ${path} for ${method}`;
      const wanted = [...(appId === undefined ? [] : [appIdHeader]), ...(method === 'GET' ? [] : ['content-type'])];
      const fails = (id: CheckId, isWrong: boolean, difference: Difference) => {
        findings.add(id, request, isWrong ? [difference] : []);
      };
      await pause(options.pause);
      let response: Response;
      try {
        response = await fetch(base + path, {
          method: 'OPTIONS',
          headers: {
            origin: ORIGIN,
            'access-control-request-method': method,
            'access-control-request-headers': wanted.sort().join(','),
          },
          redirect: 'manual',
          signal: AbortSignal.timeout(patience.read * 1_000),
        });
        await response.text();
      } catch {
        findings.add('cors.preflight', request, [{at: 'answer', expected: 'an answer', found: 'none'}]);
        return;
      }
      const {headers, ok, status} = response;
      const header = (name: string) => headers.get(name) ?? 'no such header';
      fails('cors.preflight', !ok, {at: 'HTTP status', expected: '2xx', found: String(status)});
      if (!ok) return;
      const names = (name: string) =>
        (headers.get(name) ?? '')
          .split(',')
          .map(one => one.trim().toLowerCase())
          .filter(Boolean);
      const lacks = (name: string, wanted: string) => !names(name).some(one => one === '*' || one === wanted);
      const origin = headers.get('access-control-allow-origin') ?? '';
      fails('cors.origin', !['*', ORIGIN].includes(origin), {
        at: 'Access-Control-Allow-Origin',
        expected: `* or ${ORIGIN}`,
        found: header('access-control-allow-origin'),
      });
      const missing = wanted.filter(one => lacks('access-control-allow-headers', one.toLowerCase()));
      fails('cors.headers', missing.length > 0, {
        at: 'Access-Control-Allow-Headers',
        expected: missing.join(', '),
        found: header('access-control-allow-headers'),
      });
      if (method === 'PATCH')
        fails('cors.methods', lacks('access-control-allow-methods', 'patch'), {
          at: 'Access-Control-Allow-Methods',
          expected: 'PATCH',
          found: header('access-control-allow-methods'),
        });
      const age = headers.get('access-control-max-age');
      if (age === null) findings.note('Access-Control-Max-Age is not sent: each read costs a second request.');
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
