import type {Plugin} from 'rolldown';

export interface Kept {
  /** The folder of what was made last under this name; undefined if it is not as its sources are, or broken. */
  find(name: string): string | undefined;
  /** Makes it into a new folder, and keeps that. `make` returns the paths of all files, and folders, it is made of. */
  keep(name: string, make: (folder: string) => Promise<Iterable<string>>): Promise<string>;
}

/** Keeps in this folder what is made of the files below `root`. */
export function createKept(home?: string, root?: string): Kept;

/** What the project keeps. */
export const kept: Kept;

/** Collects the files of the project that a build is made of, without what is installed. */
export function collectSources(files: Set<string>): Plugin;
