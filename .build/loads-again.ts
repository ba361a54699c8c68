import type {Plugin} from 'vite';

/**
 * Lets a chunk that did not arrive be loaded later. A browser may remember a failed import until the page is reloaded,
 * as the HTML standard required until 2026 (whatwg/html#10327; Chrome forgets it since 156, Firefox since 154), and then
 * also fails every chunk that needs that file. So where importing again fails too, the next address is used at which a
 * server has the same file: letters of the folder's name are percent-encoded, and what the chunk imports from its
 * folder follows. Not on a page with an import map that lists hashes: they are for the first addresses only. All of this
 * can go once no older browser is supported.
 */
export function loadsAgain(): Plugin {
  const helper = String.raw`const parts = {};
    let failures = 0;
    export const importPart = file => parts[file] ??= import("./chunks/" + file).catch(() => import("./chunks/" + file)).catch(error => {
      if (document.querySelector("[type=importmap]")?.text.includes("integrity")) throw error;
      failures++;
      return import("./" + "chunks".replace(/./g, (letter, at) =>
        failures >> at & 1 ? "%" + letter.charCodeAt().toString(16) : letter) + "/" + file);
    }).catch(error => {
      delete parts[file];
      throw error;
    });`.replace(/\n\s*/g, ' ');
  return {
    name: 'loads-again',
    apply: 'build',
    renderChunk(code, {name, isEntry}) {
      const late = code.replaceAll(/\bimport\("\.\/(?:chunks\/)?/g, 'importPart("');
      if (late === code) return null;
      const start = name === 'define' ? helper : `import {importPart} from "${isEntry ? './' : '../'}define.js";`;
      // On the first line, so no code moves to another one and the source map stays valid.
      return {code: start + late, map: null};
    },
  };
}
