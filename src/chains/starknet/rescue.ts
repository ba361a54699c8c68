import {TIMEOUTS} from '../timeouts.js';
import {rescueBy} from '../token-htlc/rescue.js';
import {starknetDialect} from './dialect.js';

export const rescue = rescueBy(starknetDialect, TIMEOUTS);
