/** The third-party code in the build: its licenses, and a bill of materials in CycloneDX format. */
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

interface Package {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly folder: string;
}

/** The licenses of the packages that these modules are from, and a list of them. */
export function bundled(moduleIds: readonly string[]): {licenses: string; bill: object} {
  const folders = moduleIds.flatMap(
    id => /^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)/.exec(id)?.[1] ?? [],
  );
  const found = new Map([...new Set(folders)].map(read).map(one => [idOf(one), one]));
  const packages = [...found.values()].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
  return {licenses: licenses(packages), bill: bill(read(process.cwd()), packages)};
}

function read(folder: string): Package {
  const {name, version, license} = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Package;
  return {name, version, folder, ...(license && {license})};
}

const idOf = ({name, version}: Package) => `${name}@${version}`;
const addressOf = (one: Package) => `pkg:npm/${idOf(one).replace(/^@/, '%40')}`;

function licenses(packages: readonly Package[]): string {
  const texts = packages.map(({folder, license, ...one}) => {
    const files = readdirSync(folder).filter(file => /^(?:licen[cs]e|notice|copying)(?:[.-]|$)/i.test(file));
    const text = files.map(file => readFileSync(join(folder, file), 'utf8').trim());
    const rest = text.length ? text : ['The package brings no text of its license.'];
    return [`${one.name} ${one.version} (${license ?? 'license not named'})`, ...rest].join('\n\n');
  });
  return ['What others wrote and this package holds.', ...texts].join(`\n\n${'-'.repeat(80)}\n\n`) + '\n';
}

function bill(own: Package, packages: readonly Package[]) {
  const component = (one: Package) => ({
    type: 'library',
    'bom-ref': addressOf(one),
    name: one.name,
    version: one.version,
    ...(one.license && {licenses: [/ /.test(one.license) ? {expression: one.license} : {license: {id: one.license}}]}),
    purl: addressOf(one),
  });
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {component: component(own)},
    components: packages.map(component),
    dependencies: [{ref: addressOf(own), dependsOn: packages.map(addressOf)}],
  };
}
