/** The goal of each measure, and the reason. A missed goal is marked in the table, but fails nothing. */

export interface Goal {
  /** What the limit applies to: the widget's own figure, its ratio to the Lit baseline's, or its excess over that. */
  readonly of: 'figure' | 'ratio' | 'over';
  readonly most: number;
  readonly why: string;
}

const FRAME_MS = 1000 / 60;

export const GOALS: Readonly<Record<string, Goal>> = {
  'form.gzip': {of: 'figure', most: 26, why: 'one round trip more on a slow phone begins not far above'},
  'form.files': {of: 'figure', most: 1, why: 'each file that names another is a round trip'},
  'form.plain.form': {of: 'ratio', most: 1.3, why: 'the same form without a product behind it is the baseline'},
  'form.phone.form': {of: 'ratio', most: 1.3, why: 'the same form without a product behind it is the baseline'},
  'form.plain.ready': {of: 'ratio', most: 1.3, why: 'a form that shows and takes no key is a picture'},
  'form.phone.ready': {of: 'ratio', most: 1.3, why: 'a form that shows and takes no key is a picture'},
  'form.phone.blocked': {of: 'over', most: 20, why: 'a page that hangs is felt from a frame on'},
  'form.paint.form': {of: 'ratio', most: 0.8, why: 'no script is waited for'},
  'form.heap': {of: 'over', most: 0.6, why: 'one image of the page takes more'},
  'form.asked': {of: 'figure', most: 0, why: 'nobody is asked before a visitor wants something'},
  'form.connections': {of: 'figure', most: 1, why: 'one connection to the service, once the widget is on the screen'},
  'form.away': {of: 'figure', most: 0, why: 'nothing at all while it is not on the screen'},
  'feel.style': {of: 'figure', most: 6, why: 'the baseline takes a third of that'},
  'feel.first': {of: 'figure', most: 12, why: 'what is typed shows in the same frame'},
  'feel.key': {of: 'figure', most: 5, why: 'a slow phone takes four times as long, and has one frame'},
  'feel.flip': {of: 'figure', most: 16, why: 'one frame'},
  'feel.next': {of: 'figure', most: 3, why: 'a page may show one beside each of its products'},
  'feel.next.heap': {of: 'figure', most: 25, why: 'what they share is there once'},
  'feel.list.100': {of: 'figure', most: 40, why: 'a list opens as fast at any length'},
  'feel.list.5000': {of: 'figure', most: 40, why: 'a list opens as fast at any length'},
  'feel.list.100.key': {of: 'figure', most: 8, why: 'what is typed shows in the same frame'},
  'feel.list.5000.key': {of: 'figure', most: 8, why: 'what is typed shows in the same frame'},
  'feel.list.5000.rows': {of: 'figure', most: 60, why: 'nobody sees more'},
  'flow.quote': {of: 'figure', most: FRAME_MS, why: 'a price is as old as its way to the screen'},
  'flow.first-quote': {of: 'figure', most: FRAME_MS, why: 'its code loads while the service answers'},
  'memory.quotes': {of: 'figure', most: 0.3, why: 'a tab stays open for days'},
  'memory.moves': {of: 'figure', most: 0.3, why: 'a page of an application is drawn again and again'},
};
