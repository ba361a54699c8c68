/** What can be said about a release before anything is built. */

export interface ReleaseState {
  /** The version of `package.json`. */
  readonly version: string;
  /** What `git status --porcelain` says. */
  readonly changes: string;
  /** The source of the element, which names the version. */
  readonly element: string;
  readonly changelog: string;
}

/** Why this state may not be released, a sentence each. Empty where it may. */
export function refusals({version, changes, element, changelog}: ReleaseState): string[] {
  const named = /static readonly version: string = '([^']*)'/.exec(element)?.[1];
  const section = changelog.split(/^## /m).find(text => text.startsWith(`[${version}]`));
  const files = changes.split('\n').filter(line => line.trim());
  return [
    ...(files.length ? [`The working tree is not clean; commit or undo first:\n${files.join('\n')}`] : []),
    ...(named === version
      ? []
      : [`package.json says version ${version}, but SwapWidget.version ${named ? `says ${named}` : 'is missing'}.`]),
    ...(section?.includes('\n- ') ? [] : [`CHANGELOG.md has no section [${version}] that says what changed.`]),
  ];
}

/** The commands that publish what lies in `.release/`. */
export function publishing(version: string): string[] {
  return [
    '(cd .release && sha256sum --check --quiet SHA256SUMS)',
    `git tag v${version} && git push origin v${version}`,
    `npm publish .release/swap-widget-${version}.tgz`,
    `rsync --archive --ignore-existing .release/v${version}/ your.host:/srv/www/v${version}/`,
  ];
}
