/** The playground's current configuration as code, for each way to embed the widget. */
import type {Values} from './configuration.js';

/** The folder of the built widget, and the hash of its first file. */
export interface Script {
  readonly address: string;
  readonly integrity: string | undefined;
}

export const WAYS = {
  html: 'HTML',
  npm: 'npm',
  react: 'React',
  vue: 'Vue',
  svelte: 'Svelte',
  angular: 'Angular',
} as const;
export type Way = keyof typeof WAYS;

export function isWay(text: string | undefined): text is Way {
  return text !== undefined && Object.hasOwn(WAYS, text);
}

const TAG = 'swap-widget';
/** A placeholder for a value that only the page has. */
const BY_SCRIPT: Readonly<Record<string, string>> = {
  fetch: '(...request) => globalThis.fetch(...request)',
  referencePrice: "(from, to) => (from === 'base:usdc' && to === 'ethereum:usdc' ? '1' : undefined)",
  wallets: '{evm: window.ethereum}',
};

/** The code for one way. It contains exactly the playground's settings. */
export function codeOf(way: Way, values: Values, script: Script): string {
  return WRITERS[way](values, script);
}

const WRITERS: Readonly<Record<Way, (values: Values, script: Script) => string>> = {
  html(values, {address, integrity}) {
    const attributes = integrity ? [`integrity="${integrity}"`, 'crossorigin="anonymous"'] : [];
    return blocks(
      `<script${lines(['type="module"', `src="${escape(address)}"`, ...attributes], '  ')}></script>`,
      styleBlock(values),
      element(htmlAttributes(values)),
      `<script type="module">\n${indent(listen(values))}\n</script>`,
    );
  },

  npm: values =>
    blocks(
      '// npm install swap-widget',
      `import 'swap-widget/define.js';`,
      blocksOf(
        `const widget = document.createElement('${TAG}');`,
        ...[...values.attributes].map(([name, value]) =>
          value === true ? `widget.toggleAttribute(${quote(name)}, true);` : call('setAttribute', name, value),
        ),
        ...[...values.styles].map(([name, value]) => call('style.setProperty', name, value)),
        ...assignments(values),
        LISTENER,
        'document.body.append(widget);',
      ),
    ),

  react(values) {
    const attributes = [...values.attributes].map(([name, value]) =>
      value === true ? name : /["&{\\\u2028\u2029]/.test(value) ? `${name}={${quote(value)}}` : `${name}="${value}"`,
    );
    const style = values.styles.size ? [`style={${source(Object.fromEntries(values.styles))}}`] : [];
    return blocks(
      `import 'swap-widget/define.js';`,
      constants(values),
      `export function Swap({onComplete}) {
  return (
    <${TAG}${lines(
      [
        ...attributes,
        ...[...values.properties.keys()].map(name => `${name}={${name}}`),
        ...style.map(text => text.replaceAll('\n', '\n      ')),
        'onswap-complete={event => onComplete(event.orderId)}',
      ],
      '      ',
      '    ',
    )}/>
  );
}`,
    );
  },

  vue: values =>
    blocks(
      `<!-- vite.config.js: vue({template: {compilerOptions: {isCustomElement: tag => tag === '${TAG}'}}}) -->
<script setup>
import 'swap-widget/define.js';`,
      constants(values),
      `const done = event => console.log(event.orderId);
</script>`,
      `<template>\n${indent(
        element([
          ...htmlAttributes(values),
          ...[...values.properties.keys()].map(name => `:${name}.prop="${name}"`),
          '@swap-complete="done"',
        ]),
      )}\n</template>`,
      styleBlock(values),
    ),

  svelte: values =>
    blocks(
      `<script>\n${indent(
        blocks(
          `import 'swap-widget/define.js';`,
          constants(values),
          'const done = event => console.log(event.orderId);',
        ),
      )}\n</script>`,
      element([
        // In Svelte a brace starts an expression.
        ...htmlAttributes(values).map(text => text.replaceAll('{', '&#123;')),
        ...[...values.properties.keys()].map(name => `{${name}}`),
        'onswap-complete={done}',
      ]),
      styleBlock(values),
    ),

  angular: values =>
    blocks(
      `import {Component, CUSTOM_ELEMENTS_SCHEMA} from '@angular/core';
import type {SwapCompleteEvent} from 'swap-widget';
import 'swap-widget/define.js';`,
      `@Component({
  selector: 'app-swap',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: \`
${indent(
  inTemplate(
    element([
      // In Angular two braces start an expression.
      ...htmlAttributes(values).map(text => text.replaceAll('{', '&#123;')),
      ...[...values.properties.keys()].map(name => `[${name}]="${name}"`),
      '(swap-complete)="done($event)"',
    ]),
  ),
  '    ',
)}
  \`,${values.styles.size ? `\n  styles: \`\n${indent(inTemplate(rule(values)), '    ')}\n  \`,` : ''}
})
export class SwapComponent {
${blocksOf(...[...values.properties].map(([name, value]) => `  readonly ${name} = ${indentRest(sourceOf(name, value))};`), '')}  done(event: Event) {
    console.log((event as SwapCompleteEvent).orderId);
  }
}`,
    ),
};

const LISTENER = `widget.addEventListener('swap-complete', event => console.log(event.orderId));`;

// -- pieces of code

function blocks(...parts: readonly string[]): string {
  return parts.filter(Boolean).join('\n\n');
}

function blocksOf(...parts: readonly string[]): string {
  return parts.join('\n');
}

function indent(text: string, by = '  '): string {
  return text.replace(/^(?=.)/gm, by);
}

function indentRest(text: string): string {
  return text.replaceAll('\n', '\n  ');
}

function lines(texts: readonly string[], inner: string, outer = ''): string {
  return texts.map(text => `\n${inner}${text}`).join('') + (texts.length ? `\n${outer}` : '');
}

function element(attributes: readonly string[]): string {
  return `<${TAG}${lines(attributes, '  ')}></${TAG}>`;
}

function htmlAttributes({attributes}: Values): readonly string[] {
  return [...attributes].map(([name, value]) => (value === true ? name : `${name}="${escape(value)}"`));
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replace(/[\u2028\u2029]/g, sign => `&#${String(sign.charCodeAt(0))};`);
}

function inTemplate(text: string): string {
  return text.replace(/[\\`]|\$\{/g, '\\$&');
}

function rule({styles}: Values): string {
  return `${TAG} {\n${[...styles].map(([name, value]) => `  ${name}: ${value};`).join('\n')}\n}`;
}

function styleBlock(values: Values): string {
  return values.styles.size ? `<style>\n${indent(rule(values)).replace(/<(?=\/style)/gi, '\\3C ')}\n</style>` : '';
}

function listen(values: Values): string {
  return blocksOf(`const widget = document.querySelector('${TAG}');`, ...assignments(values), LISTENER);
}

function assignments({properties}: Values): readonly string[] {
  return [...properties].map(([name, value]) => `widget.${name} = ${sourceOf(name, value)};`);
}

/** Constants outside of the render function, so that it is the same object each time. */
function constants({properties}: Values): string {
  return [...properties].map(([name, value]) => `const ${name} = ${sourceOf(name, value)};`).join('\n');
}

function call(method: string, name: string, value: string): string {
  return `widget.${method}(${quote(name)}, ${quote(value)});`;
}

function sourceOf(name: string, value: unknown): string {
  return (value === true && BY_SCRIPT[name]) || source(value);
}

function source(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) {
    const items = value.map(item => source(item));
    const short = `[${items.join(', ')}]`;
    return short.length <= 60 && !short.includes('\n') ? short : `[\n${indent(items.map(i => `${i},`).join('\n'))}\n]`;
  }
  if (typeof value !== 'object' || value === null) return String(value);
  const fields = Object.entries(value).map(([name, field]) => `${keyOf(name)}: ${source(field)}`);
  const short = `{${fields.join(', ')}}`;
  return short.length <= 60 && !short.includes('\n') ? short : `{\n${indent(fields.map(f => `${f},`).join('\n'))}\n}`;
}

/** The name of a field. Without brackets, `__proto__` would set the object's prototype. */
function keyOf(name: string): string {
  if (name === '__proto__') return `['${name}']`;
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name);
}

/** A text as source code, which may be in an inline script: there a comment or a script tag would end or change it. */
function quote(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  // Line breaks within a text would be indented.
  const onOneLine = escaped.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  return `'${onOneLine.replace(/<(?=!--|\/?script)/gi, '\\x3C')}'`;
}
