/** Where the swap service is, and the assets and chains that this shop is paid in. */
export const settings = {
  baseUrl: 'https://the.service',
  appId: undefined as string | undefined,
  assets: [] as object[],
  chains: {base: {rpc: ['https://node-a.example', 'https://node-b.example']}} as Record<string, object>,
};
