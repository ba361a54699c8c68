/** What a release writes down, and what can be said about it before anything is built. */

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
  const named = OF_ELEMENT.exec(element)?.[0];
  const section = changelog.split(/^## /m).find(text => text.startsWith(`[${version}]`));
  const files = changes.split('\n').filter(line => line.trim());
  return [
    ...(files.length ? [`The working tree is not clean; commit or undo first:\n${files.join('\n')}`] : []),
    ...(named === version
      ? []
      : [`package.json says version ${version}, but SwapWidget.version ${named ? `says ${named}` : 'is missing'}.`]),
    ...(section?.includes('\n- ')
      ? []
      : [
          `CHANGELOG.md has no section [${version}] that says what changed; npm run release -- minor raises the version and makes one.`,
        ]),
  ];
}

const UNRELEASED = /^## \[Unreleased\]\n+(?=(?:(?!^## )[^])*^- )/m;
const OF_ELEMENT = /(?<=static readonly version: string = ')[^']*(?=')/;

/** Whether anything has changed since the last release, as far as the changelog says. */
export function hasNews(changelog: string): boolean {
  return UNRELEASED.test(changelog);
}

/** The changelog and the element as they are with a version: what was unreleased is its section, dated YYYY-MM-DD. */
export function withVersion<T extends Pick<ReleaseState, 'changelog' | 'element'>>(
  {changelog, element}: T,
  version: string,
  date: string,
): Pick<ReleaseState, 'changelog' | 'element'> {
  return {
    changelog: changelog.replace(UNRELEASED, `## [Unreleased]\n\n## [${version}] - ${date}\n\n`),
    element: element.replace(OF_ELEMENT, version),
  };
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
