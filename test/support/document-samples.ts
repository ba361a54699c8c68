/** Type checks the samples in the documents in strict TypeScript, against the types of the built package. */
import {join} from 'node:path';
import ts from 'typescript';

const READERS_OWN = `
declare const widget: import('swap-widget').SwapWidget;
declare function count(name: string, facts: Readonly<Record<string, string | undefined>>): void;
declare function book(orderId: string, amount: bigint): void;
declare function thank(orderId: string, amount: bigint): void;
declare function tell(reason: import('swap-widget').PaymentRequestEnd, orderId?: string): void;
declare function mayThisVisitorSwap(agreed: import('swap-widget').Agreement): Promise<void>;
declare function myDialog(family: import('swap-widget').ChainFamily): Promise<unknown>;
declare const page: {
  goto(path: string): Promise<unknown>;
  getByRole(role: string, options: {name: string}): {fill(text: string): Promise<void>};
  evaluate(script: string): Promise<unknown>;
};
declare function expect(found: unknown): {toBeVisible(): Promise<void>};
declare const process: {env: Readonly<Record<string, string | undefined>>};
declare const orderId: string, cart: {readonly id: string; readonly createdAt: number};
declare const stopped: AbortSignal, pool: {query(text: string, values?: unknown[]): Promise<{rows: unknown[]}>};
declare const upload: Blob;
declare function deliverOnce(paymentKey: string | undefined, sale: typeof cart): Promise<void>;
declare function optionsFor(sale: typeof cart): import('swap-widget/server').VerifyOptions;
declare const provider: object, adapter: object, walletObject: object, satsProvider: object;
`;

const SAMPLE = /^```(?:js|ts|tsx)\n([^]*?)^```$/gm;

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  jsx: ts.JsxEmit.ReactJSX,
  types: [],
  skipLibCheck: true,
  noEmit: true,
};

/**
 * The compiler's errors, by document and line. The samples of one document are one module, so that later ones can use
 * declarations of earlier ones. They are placed in the package, so that its name resolves to its own `exports`.
 */
export function mistypedSamples(documents: ReadonlyMap<string, string>): string[] {
  const files = new Map([[join(process.cwd(), 'readers-own.d.ts'), READERS_OWN]]);
  const pathOf = new Map<string, string>();
  for (const [path, text] of documents) {
    const file = join(process.cwd(), `${path}.tsx`);
    files.set(file, samplesOf(text));
    pathOf.set(file, path);
  }
  const host = ts.createCompilerHost(OPTIONS);
  const {fileExists, readFile, getSourceFile} = host;
  host.fileExists = file => files.has(file) || fileExists(file);
  host.readFile = file => files.get(file) ?? readFile(file);
  host.getSourceFile = (file, ...others) => {
    const text = files.get(file);
    return text === undefined
      ? getSourceFile(file, ...others)
      : ts.createSourceFile(file, text, ts.ScriptTarget.ES2022);
  };
  const program = ts.createProgram([...files.keys()], OPTIONS, host);
  return ts.getPreEmitDiagnostics(program).map(({file, start = 0, messageText}) => {
    const line = file ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
    const place = file ? `${pathOf.get(file.fileName) ?? file.fileName}:${String(line)}` : 'samples';
    return `${place}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

function samplesOf(text: string): string {
  const parts: string[] = [];
  let at = 0;
  for (const {0: whole, 1: sample = '', index} of text.matchAll(SAMPLE)) {
    const start = index + whole.indexOf('\n') + 1;
    parts.push(withoutText(text.slice(at, start)), sample);
    at = start + sample.length;
  }
  return `${parts.join('')}\nexport {};\n`;
}

export function withoutText(text: string): string {
  return text.replace(/[^\n]/g, '');
}
