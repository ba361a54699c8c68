import {expect, fixture, html} from '@open-wc/testing';
import {draw, pieces, tag, titled} from '../../src/pages/markup.js';

const place = () => fixture<HTMLElement>(html`<main></main>`);

describe('A page without a library', () => {
  it('keeps a field with its text and its focus while everything around it changes', async () => {
    const root = await place();
    const page = (lines: readonly string[]) => [
      tag(
        'p',
        {},
        lines.map(line => tag('b', {}, line)),
      ),
      tag('div', {}, tag('input', {id: 'one'})),
    ];
    draw(root, page([]));
    const input = root.querySelector('input');
    input?.focus();
    if (input) input.value = 'typed';
    draw(root, page(['first', 'second']));
    expect(root.textContent).to.equal('firstsecond');
    expect(root.querySelector('input')).to.equal(input);
    expect(document.activeElement).to.equal(input);
    expect(input?.value).to.equal('typed');
  });

  it('shows another field as another one, so that no text moves into it', async () => {
    const root = await place();
    draw(root, tag('input', {id: 'one', value: 'of the first'}));
    draw(root, tag('input', {id: 'two'}));
    expect(root.querySelector('input')?.value).to.equal('');
    expect(root.children).to.have.lengthOf(1);
  });

  it('sets what is given, and takes back what is no longer', async () => {
    const root = await place();
    let pressed = 0;
    draw(root, tag('button', {disabled: true, title: 'a', onclick: () => pressed++}, 'Press'));
    const button = root.querySelector('button');
    expect([button?.disabled, button?.title]).to.deep.equal([true, 'a']);
    draw(root, tag('button', {disabled: false, onclick: () => (pressed += 10)}, 'Press'));
    button?.click();
    expect([button?.disabled, button?.hasAttribute('title'), pressed]).to.deep.equal([false, false, 10]);
    draw(root, tag('button', {}, 'Press'));
    button?.click();
    expect(pressed).to.equal(10);
  });

  it('keeps the place of what is not shown', async () => {
    const root = await place();
    draw(root, [false, tag('p', {}, 'stays')]);
    const last = root.querySelector('p');
    draw(root, [tag('i', {}, 'comes'), tag('p', {}, 'stays')]);
    expect(root.querySelector('p')).to.equal(last);
    expect(root.textContent).to.equal('comesstays');
  });

  it('writes text as text, and elements where a message names a value', async () => {
    const root = await place();
    const message = ({money, to}: {money: string; to: string}) => `${to} gets ${money}. Nobody else.`;
    const bold = tag('b', {}, '<i>1</i>');
    draw(root, titled(pieces(message, {money: bold, to: '<b>you</b>'})));
    expect(root.textContent).to.equal('<b>you</b> gets <i>1</i>. Nobody else.');
    expect([...root.querySelectorAll('*')].map(({localName}) => localName)).to.deep.equal(['b']);
    draw(root, titled('Not yet. Come back later.'));
    expect(root.textContent).to.equal('Not yet. Come back later.');
    expect(root.querySelector('strong')?.textContent).to.equal('Not yet.');
  });
});
