/** No circle of imports, of types and late ones neither. */
export default {
  forbidden: [{name: 'no-circle', severity: 'error', from: {}, to: {circular: true}}],
  options: {tsPreCompilationDeps: true, tsConfig: {fileName: 'tsconfig.json'}, doNotFollow: {path: 'node_modules'}},
};
