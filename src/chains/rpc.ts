/** Asks a chain's node (JSON-RPC 2.0). `refusalOf` makes what is thrown of the node's own error. */
export async function askNode(
  url: string,
  method: string,
  params: unknown,
  signal?: AbortSignal,
  refusalOf = (error: unknown) => error as Error,
): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify({jsonrpc: '2.0', id: 1, method, params}),
    credentials: 'omit',
    ...(signal ? {signal} : {}),
  });
  const answer = (await response.json()) as {readonly result?: unknown; readonly error?: unknown};
  if (answer.error !== undefined && answer.error !== null) throw refusalOf(answer.error);
  return answer.result;
}
