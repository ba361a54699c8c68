#!/usr/bin/env node
/**
 * The program of the package `swap-widget-sandbox`: the chains, the service, and development wallets for pages on this
 * machine. Everything that it needs lies beside it (`bundle.ts`).
 */
import {fileURLToPath} from 'node:url';
import {serveStatic} from '@hono/node-server/serve-static';
import {Hono} from 'hono';
import {cors} from 'hono/cors';
import {answerNotFound} from './http.js';
import {startProgram} from './program.js';

const program = await startProgram(1);
const {origin, sandbox} = program;
const {appId, chains} = await sandbox;

const help = `${origin}/  chains, a service and two people's wallets, all of it play money, for your page on localhost:

<script type="module" src="/swap-widget/define.js"></script>
<swap-widget base-url="${origin}" app-id="${appId}" from="base_sepolia:wbtc" to="ethereum_sepolia:wbtc"></swap-widget>
<!-- Only for the sandbox: its wallets, tokens and nodes. It sets base-url and app-id, too. -->
<script type="module">
  import {settings} from '${origin}/wallets/page.js';
  Object.assign(document.querySelector('swap-widget'), settings);
</script>

assets="${chains.flatMap(({assets}) => Object.keys(assets)).join(' ')}"
rpc="${chains.map(({name, facts}) => `${name} ${String(facts['rpc'])}`).join(', ')}"`;

const app = new Hono();
app.use(cors({origin: '*'}));
app.get('/', context => context.text(help));
app.use(serveStatic({root: fileURLToPath(new URL('./pages', import.meta.url))}));
app.notFound(answerNotFound);
program.serve(app);
await program.announce(help);
