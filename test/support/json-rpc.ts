/** JSON-RPC answered from memory. */

/** An error as a node returns it, or as a wallet throws it. */
export class RpcError extends Error {
  constructor(
    readonly code: number | undefined,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

export type Answer = (method: string, params: never) => unknown;

/** A node's response to a request. What is thrown, and no `RpcError`, breaks the connection. */
export async function respond(init: RequestInit | undefined, answer: Answer): Promise<Response> {
  const {id, method, params} = JSON.parse(String(init?.body)) as {id: number; method: string; params: never};
  try {
    return Response.json({jsonrpc: '2.0', id, result: (await answer(method, params)) ?? null});
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const {code, message, data} = error;
    return Response.json({jsonrpc: '2.0', id, error: {code, message, data}});
  }
}

/** Answers the page's requests to a node's URL, until the returned function is called. */
export function serve(url: string, answer: Answer): () => void {
  const {fetch} = globalThis;
  globalThis.fetch = (input, init) => (String(input) === url ? respond(init, answer) : fetch(input, init));
  return () => {
    globalThis.fetch = fetch;
  };
}
