/** A scripted response: a body with its status, a network error, or nothing until it is aborted. */
export type ScriptedAnswer =
  | {readonly status?: number; readonly body?: unknown; readonly headers?: Record<string, string>}
  | 'broken'
  | 'cut'
  | 'silent';

export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: unknown;
  readonly init: RequestInit;
}

/** A `fetch` that returns scripted responses in order and records requests. */
export function scriptedFetch(...answers: readonly ScriptedAnswer[]): {
  readonly fetch: typeof globalThis.fetch;
  readonly sent: SentRequest[];
} {
  const sent: SentRequest[] = [];
  return {
    sent,
    fetch(input, init = {}) {
      const {method = 'GET', signal, headers, body} = init;
      const answer = answers[sent.length];
      sent.push({
        method,
        url: String(input),
        headers: Object.fromEntries(new Headers(headers)),
        body: typeof body === 'string' ? JSON.parse(body) : body,
        init,
      });
      if (signal?.aborted) return Promise.reject(signal.reason as Error);
      if (answer === undefined) return Promise.reject(new Error('Unexpected request.'));
      if (answer === 'broken') return Promise.reject(new TypeError('Failed to fetch'));
      if (answer === 'silent') {
        return new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => {
            reject(signal.reason as Error);
          });
        });
      }
      if (answer === 'cut') {
        const stream = new ReadableStream({
          start: controller => {
            controller.error(new TypeError('network error'));
          },
        });
        return Promise.resolve(new Response(stream));
      }
      const {status = 200, body: content = '', headers: own = {}} = answer;
      const text = typeof content === 'string' ? content : JSON.stringify(content);
      return Promise.resolve(new Response(status === 204 ? null : text, {status, headers: own}));
    },
  };
}
