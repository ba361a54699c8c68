/**
 * The playground: the widget; beside it what happens around it, the code, and faults; last the widget's settings.
 * Under `npm start` it uses the sandbox; built, a mock service until one is entered.
 */
import {html, nothing, render} from 'lit';
import {manifest, place} from 'virtual:playground';
import {colorOf, findUnreadable} from './contrast.js';
import type {SwapWidget} from '../src/index.js';
import {codeOf, isWay, WAYS, type Script, type Way} from './code.js';
import {
  keepOwnService,
  publicScript,
  readOwnService,
  renderCodeNote,
  renderOwnService,
  renderWays,
  withPlaceholders,
  type OwnService,
} from './code-panel.js';
import {
  agreeTo,
  apply,
  BEGINNING,
  readAddress,
  valuesOf,
  writeAddress,
  type Configuration,
  type PageField,
  type Values,
} from './configuration.js';
import {controlsOf, isLook} from './controls.js';
import {logEvents} from './events.js';
import {announcePeople, assetsOf, createGround, isPlay, openSandbox, type SandboxGround} from './ground.js';
import {FRAMES, groundOf, isBrand, isFrame, OWN_GROUND, renderLooks, withBrand, type BrandName} from './looks.js';
import {renderAbout, renderNotes, renderPairNote} from './notes.js';
import {renderPanel} from './panel.js';
import {copy, find, setUpTabs, showNotice, showTrouble} from './parts.js';
import {createPayouts} from './payouts.js';
import {
  createFinder,
  loadFaultKinds,
  loadStages,
  readFaults,
  renderCaption,
  renderFaults,
  renderFinder,
  renderFrame,
  renderStages,
  titleOfStage,
  type ActiveFaults,
  type FaultKinds,
  type Stages,
} from './simulate.js';
import {showSteps} from './steps.js';
import {createSandbox, tellDown} from './wallets/sandbox.js';

/** How long the wallets wait for the first price, which their code would delay. */
const FIRST_PRICE_MS = 2_000;

const widget = findWidget();
const sandbox = createSandbox(location.origin);
// It is in the first response.
if (place.hasSandbox) void Promise.all([import('../src/define.js'), import('../src/walletconnect.js')]);
const local = place.hasSandbox ? await openSandbox(sandbox).catch(sayItIsGone) : undefined;
const assets = assetsOf(local);
const controls = controlsOf(
  manifest,
  assets.map(({id}) => id),
);
const finder = createFinder(local !== undefined);
const log = logEvents(
  widget,
  manifest.events.map(({name}) => name),
);
const ground = createGround(widget, log, local);
const payouts = local && createPayouts(widget, sandbox, setFee);
const steps = local && showSteps(widget, place.documents);
/** With room for three columns, the settings are always visible instead of in a tab. */
const isWide = matchMedia('(min-width: 100rem)');
const selectTab = setUpTabs(find('tabs'), panel => {
  set({page: {tab: panel.replace(/-panel$/, '')}});
  if (panel === 'simulate-panel') void needStages();
  if (panel === 'payouts-panel') void payouts?.refresh();
});

let configuration: Configuration = BEGINNING;
let page: Readonly<Partial<Record<PageField, string>>> = {};
let faults: ActiveFaults = {};
let stages: Stages = {};
let kinds: FaultKinds = {};
/** A service in the URL that nobody has agreed to. */
let offered: string | undefined;
let notes: readonly string[] = [];
/** The pair in the form, as soon as there is one. */
let inForm: {readonly from: string; readonly to: string} | undefined;
let refused: ReadonlyMap<string, string> = new Map();
let applied: Values | undefined;
/** Whether the page was rendered with the widget's colors. */
let hadColors = false;
/** What the code to copy loads. It is never shown without the built widget's hash, if there is one. */
let script: Script | undefined;
let ownService = readOwnService(sessionStorage);
let isMakingUp = false;
/** How far the page was scrolled when the settings were left for the widget above them. */
let leftAt: number | undefined;

readPlace();
setUpPage();
begin();
void readScript();
if (local) {
  showTrouble(tellDown(local.state));
  void runSandbox(local);
}

// -- settings

function begin() {
  const read = readAddress(location.search, controls, sessionStorage);
  const {faults: known, notes: ofFaults} = local ? readFaults(read.page.faults, local.table) : {faults: {}, notes: []};
  configuration = read.configuration;
  page = read.page;
  offered = read.service;
  notes = [...read.notes, ...ofFaults, ...notesOfPage()];
  if (page.faults) void setFaults(known);
  else void followFaults();
  void playAtFirst();
  arrange();
  if (page.stage) void needStages();
}

function notesOfPage(): string[] {
  const {brand, frame, host, code, tab} = page;
  const wrong = [
    brand !== undefined && !isBrand(brand) && `brand: there is no “${brand}”.`,
    frame !== undefined && !isFrame(frame) && `frame: “${frame}” is not one of ${Object.keys(FRAMES).join(', ')}.`,
    host !== undefined && !/^#[\da-f]{6}$/i.test(host) && `host: “${host}” is not a color such as #fff1e6.`,
    code !== undefined && !isWay(code) && `code: “${code}” is not one of ${Object.keys(WAYS).join(', ')}.`,
    tab !== undefined &&
      !document.querySelector(`#${CSS.escape(tab)}-tab:not([hidden])`) &&
      tab !== 'configure' &&
      `tab: there is no “${tab}”.`,
  ].filter(text => text !== false);
  const fields = wrong.map(text => text.split(':')[0]);
  page = Object.fromEntries(Object.entries(page).filter(([name]) => !fields.includes(name)));
  return wrong;
}

function set(change: {configuration?: Configuration; page?: typeof page}) {
  if (change.configuration) configuration = change.configuration;
  if (change.page) page = {...page, ...change.page};
  update();
}

function setOne(name: string, text: string | undefined) {
  const next = new Map(configuration);
  if (text === undefined) next.delete(name);
  else next.set(name, text);
  if (name === 'base-url' && text !== undefined) agreeTo(text, sessionStorage);
  set({configuration: next});
}

function faultyApp(): string {
  return configuration.get('app-id') ?? local?.state.appId ?? '';
}

/** Shows the active faults: other pages with the same app id set them, too, and a sandbox that was restarted has none. */
async function followFaults() {
  if (!local) return;
  const asked = faultyApp();
  const active = await sandbox.readActiveFaults(asked).catch(() => undefined);
  if (!active || asked !== faultyApp()) return;
  faults = active;
  keepFaults();
}

function keepFaults() {
  set({page: {faults: Object.keys(faults).length ? JSON.stringify(faults) : ''}});
}

async function setFaults(next: ActiveFaults) {
  if (!local) return;
  const before = faults;
  faults = next;
  try {
    await sandbox.setFaults(faultyApp(), faults);
    showNotice('', 'faults');
  } catch (error) {
    faults = before;
    showNotice(`The faults are unchanged. ${error instanceof Error ? error.message : ''}`, 'faults');
  }
  keepFaults();
}

/** An affiliate fee for Field, whose balance shows what was paid out. */
function setFee() {
  const field = local?.people[1];
  if (field) setOne('affiliate-fees', `base_sepolia:usdc ${field.wallets.evm.account} 20`);
}

function update() {
  const values = valuesOf(configuration, controls);
  const ofWidget = ground.under(values);
  apply(widget, ofWidget, controls, applied);
  applied = ofWidget;
  // Until a service is entered it cannot do anything. Properties set before it is defined are kept.
  if (ground.hasService(values)) void Promise.all([import('../src/define.js'), import('../src/walletconnect.js')]);
  refused = new Map();
  writePlace(values);
  draw(values);
  void customElements
    .whenDefined(widget.localName)
    .then(() => widget.updateComplete)
    .then(() => {
      readRefusal();
      // By now the form has a pair that was set.
      drawPairNote();
      // It has colors only now.
      if (!hadColors) draw(valuesOf(configuration, controls));
      hadColors = true;
    });
}

/** Once there is a price, announces the people's wallets, and gives them coins. */
async function runSandbox(own: SandboxGround) {
  await firstPrice();
  await announcePeople(own);
  // The page's own wallets are known from here on.
  update();
  const {runBench} = await import('./bench.js');
  await runBench(own.sandbox, own.state, own.people);
}

/** Resolves with the first price if the form starts with an amount, or else with what is shown instead. */
async function firstPrice(): Promise<void> {
  if (!widget.getAttribute('amount')) return;
  await new Promise<unknown>(resolve => {
    for (const event of ['swap-quote', 'swap-error']) widget.addEventListener(event, resolve, {once: true});
    setTimeout(resolve, FIRST_PRICE_MS);
  });
}

function readRefusal() {
  const {error} = widget;
  const [field] = /^[\w-]+/.exec(error?.field ?? '') ?? [];
  if (error?.code !== 'config' || !field) return;
  refused = new Map([[field, error.detail ?? 'The widget does not take it.']]);
  draw(valuesOf(configuration, controls));
}

// -- rendering

function draw(values: Values) {
  const problems = new Map([...refused, ...values.problems]);
  const panel = {
    controls,
    assets,
    get: (name: string) => configuration.get(name),
    set: setOne,
    chosen: chosenAsset,
    problems,
    inUse,
    update: () => {
      render(renderPanel(panel), find('panel'));
    },
  };
  panel.update();
  drawNotes(values);
  drawCode(values);
  drawStage(values);
  const theme = values.attributes.get('theme');
  document.documentElement.dataset['theme'] = theme === undefined ? 'auto' : String(theme);
  drawLooks();
  drawSimulate();
}

function drawSimulate() {
  const table = local?.table ?? {};
  render(renderFinder(finder, {stages, table, kinds}, drawSimulate), find('finder'));
  render(renderStages(stages, page.stage, finder, chooseStage), find('stages'));
  if (!local) return;
  const list = renderFaults(table, kinds, faults, finder, next => void setFaults(next));
  render(
    html`<div class="title">
        <h3>Failures</h3>
        ${
          Object.keys(faults).length
            ? html`<button class="link" type="button" @click=${() => setFaults({})}>Clear all</button>`
            : nothing
        }
      </div>
      <p class="quiet">
        What the service and its solver do from now on, to every page with this app id. A price that is shown stays
        until the next one is due.
      </p>
      ${list}`,
    find('faults'),
  );
  find('faults').hidden = list === nothing;
  (find('solver') as HTMLInputElement).checked = !Object.hasOwn(faults, 'solverGone');
}

/** The current color of a custom property, as `#rrggbb`, once the widget is defined. */
function inUse(name: string): string | undefined {
  const parts = colorOf(widget, name)?.map(part =>
    Math.round(part * 255)
      .toString(16)
      .padStart(2, '0'),
  );
  return parts && `#${parts.join('')}`;
}

function drawLooks() {
  const brand: BrandName = isBrand(page.brand) ? page.brand : 'plain';
  const frame = isFrame(page.frame) ? page.frame : 'page';
  const host = page.host ?? '';
  const ground = groundOf(brand);
  const [light, dark] = ground ?? OWN_GROUND;
  const color = host || (ground && `light-dark(${light}, ${dark})`);
  const place = find('host');
  place.dataset['frame'] = frame;
  place.toggleAttribute('data-colored', Boolean(color));
  place.style.setProperty('--host', color || null);
  render(
    renderLooks({
      configuration,
      brand,
      host,
      frame,
      ground: isDark() ? dark : light,
      useBrand(name) {
        set({configuration: withBrand(configuration, name), page: {brand: name === 'plain' ? '' : name, host: ''}});
      },
      set: setOne,
      setPage(change) {
        set({page: change});
      },
    }),
    find('looks'),
  );
}

function isDark(): boolean {
  const {colorScheme} = getComputedStyle(document.documentElement);
  return colorScheme === 'light dark' ? matchMedia('(prefers-color-scheme: dark)').matches : colorScheme === 'dark';
}

function drawNotes(values: Values) {
  const panel = {
    offered,
    notes,
    hasService: hasService(values),
    unreadable: findUnreadable(widget),
    clear(name: string) {
      setOne(name, undefined);
    },
    use() {
      const service = offered;
      offered = undefined;
      if (service !== undefined) setOne('base-url', service);
    },
    dismiss() {
      notes = [];
      update();
    },
    askForService,
    playMadeUp,
  };
  render(renderNotes(panel), find('notes'));
  render(renderAbout(ground.isMadeUp(), askForService), find('about'));
}

function drawPairNote() {
  const goBack = () => {
    fillForm(['from', 'to']);
  };
  render(renderPairNote({chosen: chosenPair(), use: setChosenPair, goBack}), find('pair'));
}

/** The pair in the form, where it is another one than is set. */
function chosenPair(): typeof inForm {
  if (!inForm?.from || !inForm.to) return undefined;
  const isSet = ([side, id]: readonly [string, string]) => {
    const set = configuration.get(side);
    // An id of another standard may be the same asset.
    return set === id || !assets.some(asset => asset.id === set);
  };
  return Object.entries(inForm).every(isSet) ? undefined : inForm;
}

/** The asset of one side of the form, in words, where it is another one than is set. */
function chosenAsset(name: string): string | undefined {
  const id = name === 'from' || name === 'to' ? chosenPair()?.[name] : undefined;
  if (!id || id === configuration.get(name)) return undefined;
  const asset = assets.find(one => one.id === id);
  return asset ? `${asset.symbol}, ${asset.chain}` : id;
}

function setChosenPair() {
  const pair = chosenPair();
  if (pair) set({configuration: new Map([...configuration, ...Object.entries(pair)])});
}

/** Brings the form back to what is set: an attribute that is set anew counts more than the visitor's draft. */
function fillForm(fields: Iterable<string>) {
  for (const name of fields) {
    const text = widget.getAttribute(name);
    if (text === null) continue;
    widget.removeAttribute(name);
    widget.setAttribute(name, text);
  }
}

function askForService() {
  const field = find('setbase-url');
  const group = field.closest('details');
  if (group) group.open = true;
  field.focus();
}

/** Switches the widget to the mock service in the page, which only has test networks. */
async function playMadeUp() {
  await ground.makeUp();
  set({configuration: new Map([...configuration, ...BEGINNING])});
}

/** Without a service, visitors get a working widget with nothing at stake. */
async function playAtFirst() {
  const isWanted = () => {
    const {attributes} = valuesOf(configuration, controls);
    return !local && offered === undefined && !attributes.has('base-url') && isPlay(attributes);
  };
  if (!isWanted()) return;
  isMakingUp = true;
  await ground.makeUp(isWanted).finally(() => (isMakingUp = false));
  update();
}

/** Whether any service can respond, or will in a moment: nothing else is shown until then. */
function hasService(values: Values): boolean {
  return isMakingUp || ground.hasService(values);
}

function drawCode(values: Values) {
  const way: Way = isWay(page.code) ? page.code : 'html';
  const choose = (name: Way) => {
    set({page: {code: name}});
  };
  render(renderWays(way, choose), find('ways'));
  const {complete, isPlaceholder} = withPlaceholders(values, ownService);
  render(script ? codeOf(way, complete, publicScript(script)) : nothing, find('code'));
  render(renderCodeNote(local !== undefined && way === 'html'), find('code-says'));
  const setOwn = (own: OwnService) => {
    ownService = own;
    keepOwnService(own, sessionStorage);
    drawCode(values);
  };
  render(isPlaceholder ? renderOwnService(ownService, setOwn) : nothing, find('own-service'));
}

// -- stages

async function needStages() {
  [stages, kinds] = await Promise.all([loadStages(), loadFaultKinds()]);
  if (page.stage && titleOfStage(stages, page.stage) === undefined) {
    notes = [...notes, `stage: there is no “${page.stage}”.`];
    page = {...page, stage: ''};
  }
  update();
}

function showStage(stage: string | undefined) {
  set({page: {stage: stage ?? ''}});
  // The button that was pressed is gone.
  if (stage === undefined) focusStage();
}

/** Shows a stage from the list, which may be far below the picture. */
function chooseStage(stage: string | undefined) {
  set({page: {stage: stage ?? ''}});
  const host = find('host');
  const {top} = host.getBoundingClientRect();
  if (top < 0 || top > innerHeight) host.scrollIntoView();
}

/** A stage is shown in a frame in place of the widget, which continues behind it; until a service is entered, always one. */
function drawStage(values: Values) {
  const shown = page.stage ? page.stage : hasService(values) ? undefined : 'form-quoted';
  const looks = [...values.attributes, ...values.styles].filter(([name]) => isLook(name));
  const title = titleOfStage(stages, page.stage ?? '');
  widget.hidden = shown !== undefined;
  render(
    shown === undefined
      ? nothing
      : html`${title === undefined ? nothing : renderCaption(stages, shown, showStage)}
        ${renderFrame(shown, title ?? 'A picture of the widget', looks)}`,
    find('stage'),
  );
}

// -- the page

function readPlace() {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.documents')) link.href = place.documents;
  // The build of `npm start` has no one-file pages.
  find('pages').hidden = place.hasSandbox;
  find('truth').hidden = !local;
  find('about').hidden = Boolean(local);
  find('steps').hidden = !local;
  for (const id of ['wallets-tab', 'chains-tab', 'payouts-tab']) find(id).hidden = !local;
}

function arrange() {
  const panel = find('configure-panel');
  find('configure-tab').hidden = isWide.matches;
  panel.role = isWide.matches ? null : 'tabpanel';
  panel.setAttribute('aria-labelledby', isWide.matches ? 'configure-title' : 'configure-tab');
  const standard = local ? 'wallets' : isWide.matches ? 'code' : 'configure';
  const wanted = page.tab || standard;
  selectTab(`${isWide.matches && wanted === 'configure' ? standard : wanted}-panel`);
  if (isWide.matches) panel.hidden = false;
}

function setUpPage() {
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void followFaults();
  });
  isWide.addEventListener('change', arrange);
  find('to-settings').addEventListener('click', openSettings);
  find('to-widget').addEventListener('click', seeWidget);
  find('copy').addEventListener('click', event => void copy(event, find('code').textContent, find('code')));
  find('link').addEventListener('click', event => {
    // The link is to what is on the screen.
    setChosenPair();
    void copy(event, location.href);
  });
  find('begin').addEventListener('click', () => {
    notes = [];
    offered = undefined;
    if (Object.keys(faults).length) void setFaults({});
    // The form is empty, too; an open swap continues, and stays in its list. Without a service there is none yet.
    if (widget.matches(':defined')) widget.reset();
    steps?.restart();
    set({configuration: BEGINNING, page: {brand: '', frame: '', host: '', stage: '', code: ''}});
    fillForm(BEGINNING.keys());
  });
  // The page's URL has the settings, without an anchor.
  find('skip').addEventListener('click', event => {
    event.preventDefault();
    focusStage();
  });
  // Colors for one scheme may not work in the other.
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', update);
  find('solver').addEventListener('change', ({currentTarget}) => {
    const {solverGone: _, ...others} = faults;
    void setFaults((currentTarget as HTMLInputElement).checked ? others : {...others, solverGone: {}});
  });
  widget.addEventListener('swap-error', event => {
    if (event.code === 'config') readRefusal();
  });
  // A price would come too late, and never without an amount, as after a swap.
  widget.addEventListener('swap-track', ({from, to}) => {
    if (from === undefined || to === undefined) return;
    if (inForm?.from === from && inForm.to === to) return;
    inForm = {from, to};
    drawPairNote();
    draw(valuesOf(configuration, controls));
  });
}

function focusStage() {
  const stage = find('host').closest('section');
  if (!stage) return;
  stage.tabIndex = -1;
  stage.addEventListener(
    'blur',
    () => {
      stage.removeAttribute('tabindex');
    },
    {once: true},
  );
  stage.focus();
}

/** Opens the settings below the widget, where they were left. */
function openSettings() {
  const isOpen = !find('configure-panel').hidden;
  if (isOpen && leftAt !== undefined) {
    scrollTo(0, leftAt);
    find('to-widget').focus({preventScroll: true});
    return;
  }
  set({page: {tab: 'configure'}});
  arrange();
  find('configure-tab').scrollIntoView();
  find('configure-tab').focus({preventScroll: true});
}

function seeWidget() {
  leftAt = scrollY;
  focusStage();
  scrollTo(0, 0);
}

function writePlace({problems}: Values) {
  const sound = new Map([...configuration].filter(([name]) => !problems.has(name)));
  history.replaceState(history.state, '', writeAddress(new URL(location.href), sound, page, sessionStorage));
}

function findWidget(): SwapWidget {
  const widget = document.querySelector<SwapWidget>('#widget');
  if (!widget) throw new Error('The page has no #widget.');
  return widget;
}

function sayItIsGone(error: unknown): never {
  showTrouble('The sandbox does not answer. Start it with “npm start” and load this page again.');
  throw error;
}

/** Reads the hash of the built widget's script, as soon as it is built. */
async function readScript() {
  const answer = await fetch(`${place.dist}sri.json`).catch(() => undefined);
  const hashes = answer?.ok ? ((await answer.json()) as Readonly<Record<string, string>>) : undefined;
  script = {address: new URL(`${place.dist}define.js`, location.href).href, integrity: hashes?.['define.js']};
  drawCode(valuesOf(configuration, controls));
}
