import type {Claim} from './scenes.js';
export const UNREADABLE: readonly Claim[] = [];
