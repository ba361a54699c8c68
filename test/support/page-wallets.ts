/** Development wallets for pages that load nothing: a classic script that announces them, as an extension would. */
import {resolve} from 'node:path';
import {build} from 'rolldown';
import type {SandboxState} from '../../demo/wallets/sandbox.js';
import type {ChainFamily} from '../../src/domain/asset.js';

export interface PageWallet {
  readonly family: ChainFamily;
  readonly name: string;
  readonly seedPhrase: string;
}

let program: Promise<string> | undefined;

/** The script. Each wallet approves everything, and records its prompts in `window.prompts`. */
export async function walletScript(
  state: Pick<SandboxState, 'chains'>,
  wallets: readonly PageWallet[],
): Promise<string> {
  program ??= bundle();
  const given = JSON.stringify({state: {chains: state.chains}, wallets});
  return `if (/^http:/.test(location.protocol)) {${await program}
    window.prompts = [];
    const {state, wallets} = ${given};
    for (const {family, name, seedPhrase} of wallets) makeWallet(family, {
      name, seedPhrase, state, id: name.toLowerCase().replace(/\\W/g, ''),
      approver: async prompt => { window.prompts.push({kind: prompt.kind, title: prompt.title, facts: prompt.facts}); return true; },
    });
  }`;
}

async function bundle(): Promise<string> {
  const {
    output: [chunk],
  } = await build({
    input: 'wallets',
    platform: 'browser',
    plugins: [
      {
        name: 'entry',
        resolveId: id => (id === 'wallets' ? '\0wallets' : null),
        load: id =>
          id === '\0wallets'
            ? `export {createWallet as default} from ${JSON.stringify(resolve('demo/wallets/index.ts'))};`
            : null,
      },
    ],
    output: {format: 'iife', name: 'makeWallet', codeSplitting: false, minify: true},
    write: false,
    logLevel: 'silent',
  });
  return chunk.code;
}
