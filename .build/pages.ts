/** Builds every page of one file into `dist`, one after the other: each is a build of its own, which shares nothing. */
import {build} from 'vite';
import {ONE_FILE_PAGES} from './one-file.js';

for (const page of ONE_FILE_PAGES) await build({mode: `page:${page}`});
