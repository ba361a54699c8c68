/** Looks for a circle of imports, also of types and late ones. */
import {readImports} from './support/changed.js';

const imports = readImports();
const left = new Set(imports.keys());
const leftOf = (file: string) => imports.get(file)?.find(imported => left.has(imported));
// What imports nothing that is left is in no circle.
for (let before = Infinity; left.size < before;) {
  before = left.size;
  for (const file of left) if (leftOf(file) === undefined) left.delete(file);
}
const walk: string[] = [];
for (let [file] = left; file !== undefined && !walk.includes(file); file = leftOf(file)) walk.push(file);
if (walk.length) {
  const last = leftOf(walk.at(-1)!)!;
  console.error([...walk.slice(walk.indexOf(last)), last].join('\n→ '));
  process.exitCode = 1;
}
