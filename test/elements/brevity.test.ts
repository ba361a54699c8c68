/** How many words a person sees at each stage of a swap: whatever has two letters or more, but for addresses and hashes. */
import {expect} from '@open-wc/testing';
import {LANGUAGES, show, speak} from '../support/show.js';

const MOST: Readonly<Record<string, number>> = {
  'form-quoted': 25,
  'form-transfer': 25,
  review: 40,
  'review-transfer': 40,
  'deposit-sign': 35,
  'deposit-address': 45,
  'progress-in-time': 40,
  'progress-confirming': 40,
  'complete-on-chain': 25,
  complete: 25,
};

function seenIn(node: Node): string {
  if (node instanceof Text) return node.data;
  if (node instanceof HTMLSlotElement) return node.assignedNodes().map(seenIn).join(' ');
  if (node instanceof Element && (!isSeen(node) || node.matches('.mono, .groups, svg'))) return ' ';
  const inner = node instanceof Element && node.shadowRoot ? node.shadowRoot : node;
  return [...inner.childNodes].map(seenIn).join(' ');
}

/** Whether an element has room on the screen: what is only read aloud has a pixel. */
function isSeen(element: Element): boolean {
  return element.checkVisibility() && !element.matches('.hidden, style');
}

// A browser without a screen denies notifications, and hides a button that others show.
before(() => Object.defineProperty(Notification, 'permission', {value: 'default'}));

describe('What is said at a stage', () => {
  for (const [name, most] of Object.entries(MOST))
    it(`has no more than ${String(most)} words, and in other languages no more than 1.3 times its letters: ${name}`, async () => {
      const page = await show(name, {lang: 'en'});
      const wordsNow = () => seenIn(page.widget).match(/[\p{L}\p{M}’'-]{2,}/gu) ?? [];
      const words = wordsNow();
      expect(words.length, words.join(' ')).to.be.within(5, most);
      await expect(page.widget).to.be.accessible();
      for (const lang of LANGUAGES) {
        await speak(page, lang);
        await page.settled();
        const others = wordsNow();
        expect(others.join('').length, `${lang}: ${others.join(' ')}`).to.be.at.most(words.join('').length * 1.3);
      }
    });
});
