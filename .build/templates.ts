import {RolldownMagicString} from 'rolldown';
import {Visitor, type Plugin} from 'vite';

/** Removes line breaks and indentation from templates and style sheets, which script minifiers keep. */
export function tightTemplates(): Plugin {
  return {
    name: 'tight-templates',
    apply: 'build',
    transform: {
      filter: {id: /\/src\/elements\//},
      handler(code) {
        const result = new RolldownMagicString(code);
        new Visitor({
          TaggedTemplateExpression({tag, quasi}) {
            const tighten = tag.type === 'Identifier' ? TIGHTEN[tag.name] : undefined;
            if (!tighten) return;
            for (const {start, end, value} of quasi.quasis)
              result.remove(start, end).appendLeft(start, tighten(value.raw));
          },
        }).visit(this.parse(code));
        return {code: result.toString(), map: result.generateMap({hires: 'boundary'}).toString()};
      },
    },
  };
}

/** A space between two tags may be visible, a second one never is; in a style sheet most have no meaning. */
const tightHtml = (text: string) => text.replace(/\s+/g, ' ').replaceAll(' >', '>');
export const tightCss = (text: string) =>
  text
    .replace(/(?:\/\*[^]*?\*\/|\s)+/g, ' ')
    .replace(/ ?([{};,>]) ?/g, '$1')
    .replace(/([:(]) | (?=\))|;(?=\})|(?<=[\s(,:])0(?=\.\d)/g, '$1');
const TIGHTEN: Readonly<Record<string, (text: string) => string>> = {html: tightHtml, svg: tightHtml, css: tightCss};
