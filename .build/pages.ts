/** Builds every one-file page into `dist`, one after the other: each is a separate build that shares nothing. */
import {build} from 'vite';
import {ONE_FILE_PAGES} from './one-file.js';

for (const page of ONE_FILE_PAGES) await build({mode: `page:${page}`});
