/**
 * The assertions of tests that run in Node: the chai that `@open-wc/testing` provides in a page, with a path that Node
 * can resolve.
 */
// @ts-expect-error The package names its types for its main address only.
import {expect as chaiExpect} from '@esm-bundle/chai/esm/chai.js';

export const expect = chaiExpect as Chai.ExpectStatic;
