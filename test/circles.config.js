/** No import cycles, including those of types and dynamic imports. */
export default {
  forbidden: [{name: 'no-circle', severity: 'error', from: {}, to: {circular: true}}],
  options: {tsPreCompilationDeps: true, tsConfig: {fileName: 'tsconfig.json'}, doNotFollow: {path: 'node_modules'}},
};
