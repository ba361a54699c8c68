import type {Plugin} from 'rolldown';

export interface Kept {
  /** The folder of the last build with this name; undefined if its sources have changed, or if it is broken. */
  find(name: string): string | undefined;
  /** Builds into a new folder and keeps it. `make` returns the paths of all files and folders that the build depends on. */
  keep(name: string, make: (folder: string) => Promise<Iterable<string>>): Promise<string>;
}

/** A cache in this folder for builds from the files below `root`. */
export function createKept(home?: string, root?: string): Kept;

/** The project's own cache. */
export const kept: Kept;

/** Collects the project's own files that a build depends on, without installed packages. */
export function collectSources(files: Set<string>): Plugin;
