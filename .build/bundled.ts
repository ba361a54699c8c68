/** The third-party code in the build: its licenses, and a bill of materials in CycloneDX format. */
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

/** A package by its folder, as the bill of materials names it. */
function read(folder: string) {
  const {name, version, license} = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<
    'name' | 'version',
    string
  > & {readonly license?: string};
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const licenses = license && [license.includes(' ') ? {expression: license} : {license: {id: license}}];
  const component = {type: 'library', 'bom-ref': purl, name, version, ...(licenses && {licenses}), purl};
  return {folder, title: `${name} ${version} (${license ?? 'license not named'})`, purl, component};
}

/** The licenses of the packages that these modules are from, and a list of them. */
export function bundled(moduleIds: readonly string[]): {licenses: string; bill: object} {
  const folders = moduleIds.flatMap(
    id => /^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)/.exec(id)?.[1] ?? [],
  );
  const found = new Map([...new Set(folders)].map(read).map(one => [one.purl, one]));
  const packages = [...found.values()].sort((a, b) => (a.title < b.title ? -1 : 1));
  const texts = packages.map(({folder, title}) => {
    const files = readdirSync(folder).filter(file => /^(?:licen[cs]e|notice|copying)(?:[.-]|$)/i.test(file));
    const text = files.map(file => readFileSync(join(folder, file), 'utf8').trim());
    return [title, ...(text.length ? text : ['The package brings no text of its license.'])].join('\n\n');
  });
  const own = read(process.cwd());
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {component: own.component},
    components: packages.map(({component}) => component),
    dependencies: [{ref: own.purl, dependsOn: packages.map(({purl}) => purl)}],
  };
  const line = `\n\n${'-'.repeat(80)}\n\n`;
  return {licenses: ['What others wrote and this package holds.', ...texts].join(line) + '\n', bill};
}
