import {within, type Timeouts} from './timeouts.js';

/** Makes a JSON-RPC 2.0 request to a chain's node. `errorOf` makes what is thrown of the node's own error. */
export function askNode(
  url: string,
  method: string,
  params: unknown,
  {read}: Timeouts,
  signal?: AbortSignal,
  errorOf = (error: unknown) => error as Error,
): Promise<unknown> {
  const ask = async () => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: JSON.stringify({jsonrpc: '2.0', id: 1, method, params}),
      credentials: 'omit',
      ...(signal ? {signal} : {}),
    });
    const answer = (await response.json()) as {readonly result?: unknown; readonly error?: unknown};
    if (answer.error !== undefined && answer.error !== null) throw errorOf(answer.error);
    return answer.result;
  };
  return within(read, ask(), signal);
}

/** A number as chains and wallets write it. */
export function hex(value: number | bigint): string {
  return `0x${value.toString(16)}`;
}
