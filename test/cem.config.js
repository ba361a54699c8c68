/** What the custom elements manifest is made from. */
export default {
  globs: ['src/elements/**/*.ts', 'src/events.ts'],
  outdir: 'dist',
  litelement: true,
  packagejson: false,
  quiet: true,
};
