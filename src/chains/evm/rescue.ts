import {TIMEOUTS} from '../timeouts.js';
import {rescueBy} from '../token-htlc/rescue.js';
import {evmDialect} from './dialect.js';

export const rescue = rescueBy(evmDialect, TIMEOUTS);
