import {assembleSession} from './assemble.js';
import {configure} from './settings.js';
import type {SessionOptions, SwapSession} from './types.js';

export type * from './types.js';

/** Puts together the stores and the actions of one widget. Nothing happens until it is configured and started. */
export function createSwapSession(options: SessionOptions): SwapSession {
  return assembleSession(options, configure);
}
