/** The administrator's settings for `npm run dev`: the service, and your share. */
export const settings = {
  baseUrl: 'https://the.service',
  affiliateFees: [{asset: 'base_sepolia:usdc', address: '0x000000000000000000000000000000000000dEaD', bps: 10}],
};
