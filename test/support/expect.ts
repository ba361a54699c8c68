/**
 * The assertions of tests that draw nothing, which run in Node. It is the chai that `@open-wc/testing` gives to those in a
 * page, under an address that Node can resolve.
 */
// @ts-expect-error The package names its types for its main address only.
import {expect as chaiExpect} from '@esm-bundle/chai/esm/chai.js';

export const expect = chaiExpect as Chai.ExpectStatic;
