/** What the build puts in the place of `import.meta.env`. */
interface ImportMeta {
  readonly env: {readonly MODE: string};
}
