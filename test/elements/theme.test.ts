import {expect} from '@open-wc/testing';
import {resetMouse, sendMouse} from '@web/test-runner-commands';
import {waitUntil} from '../support/page.js';
import {open, show} from '../support/show.js';
import {STATES} from '../support/states.js';

const SURFACES = [
  ...['#15171c', '#000', '#fff', '#f5f0e6', '#1a2b6d', '#0052ff', '#777', '#767676', '#555', '#999', '#d33', '#b00020'],
  ...['#0a7', '#00ff7f', '#ffe000', '#ff69b4', '#a020f0', '#2b1d0e', 'rgb(20 24 33)', 'oklch(0.57 0 0)'],
];

const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true})!;

function pixelOf(color: string): number[] {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = color;
  canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data];
}

/** The luminance of a color, as defined by WCAG. */
function luminance(color: string): number {
  const data = pixelOf(color);
  expect(data.pop(), `${color} is opaque`).to.equal(255);
  const [r = 0, g = 0, b = 0] = data.map(part => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

async function palette(theme: string) {
  const {widget} = await open({theme});
  const probe = document.createElement('p');
  widget.shadowRoot?.append(probe);
  await waitUntil(() => getComputedStyle(widget).getPropertyValue('--_speed') !== '');
  return (property: string, value: string) => {
    widget.style.cssText = `${property}: ${value}`;
    return (name: string) => {
      probe.style.color = `var(--_${name})`;
      return getComputedStyle(probe).color;
    };
  };
}

describe('The palette', () => {
  for (const theme of ['light', 'dark'])
    it(`outlines the row that Enter chooses, in the ${theme} theme`, async () => {
      const page = await show('asset-picker', {theme});
      const row = page.find('[role="option"].active')!;
      const {outlineStyle, outlineWidth, outlineColor, outlineOffset, backgroundColor} = getComputedStyle(row);
      expect([outlineStyle, outlineWidth, outlineOffset]).to.deep.equal(['solid', '2px', '-2px']);
      const surface = getComputedStyle(page.find('.top')!).backgroundColor;
      for (const around of [backgroundColor, surface]) expect(contrast(outlineColor, around)).to.be.at.least(3);
    });

  for (const theme of ['light', 'dark']) {
    it(`is readable on any surface if the page only sets that, in the ${theme} theme`, async () => {
      const weak: string[] = [];
      const setting = await palette(theme);
      for (const surface of SURFACES) {
        const color = setting('--swap-surface', surface);
        for (const background of ['surface', 'sunk']) {
          for (const name of ['ink', 'quiet', 'good', 'warn', 'bad']) {
            const reached = contrast(color(name), color(background));
            if (reached < 4.5) weak.push(`${name} on ${background} ${surface}: ${reached.toFixed(2)}`);
          }
        }
        for (const name of ['accent-ink', 'accent-edge']) {
          const reached = contrast(color(name), color('surface'));
          if (reached < 3) weak.push(`${name} on ${surface}: ${reached.toFixed(2)}`);
        }
      }
      expect(weak).to.deep.equal([]);
    });

    it(`keeps the contrast of every accent in the ${theme} theme`, async () => {
      const weak: string[] = [];
      const setting = await palette(theme);
      for (const accent of ['#1f44d1', '#ffe000', '#000', '#fff', '#d4002a', '#00c389', '#777', '#7b3fe4']) {
        const color = setting('--swap-accent', accent);
        for (const [name, background, least] of [
          ['on-accent', 'accent', 4.5],
          ['accent-ink', 'surface', 4.9],
          ['accent-edge', 'surface', 3.1],
          ['quiet', 'surface', 5.2],
          ['good', 'sunk', 4.5],
          ['warn', 'sunk', 4.5],
          ['bad', 'sunk', 4.5],
        ] as const) {
          const reached = contrast(color(name), color(background));
          if (reached < least) weak.push(`${name} on ${background} with ${accent}: ${reached.toFixed(2)}`);
        }
      }
      expect(weak).to.deep.equal([]);
    });
  }

  for (const theme of ['light', 'dark']) {
    it(`has the colors derived from its accent by default, in the ${theme} theme`, async () => {
      const setting = await palette(theme);
      const names = ['quiet', 'sunk', 'accent-press', 'accent-ink', 'accent-edge', 'focus', 'good', 'warn', 'bad'];
      const pixels = (color: (name: string) => string) => names.map(name => pixelOf(color(name)));
      const given = pixels(setting('--swap-speed', '1'));
      const far = (others: readonly number[][]) =>
        names.filter((_, index) => given[index]!.some((part, at) => Math.abs(part - others[index]![at]!) > 1));
      // Browsers round what they derive, so one of 255 may be between them.
      expect(far(pixels(setting('--swap-accent', '#1f44d1')))).to.deep.equal([]);
      expect(far(pixels(setting('--swap-accent', '#d4002a')))).to.include.members(['accent-press', 'accent-ink']);
    });
  }

  it('is readable at once, before the rest of it is loaded', async () => {
    const {widget} = await open({theme: 'light', style: '--swap-surface: #15171c'});
    const [button] = widget.shadowRoot?.querySelectorAll('swap-widget-form-view') ?? [];
    const label = button?.shadowRoot?.querySelector('h2');
    expect(contrast(getComputedStyle(label!).color, '#15171c')).to.be.at.least(15);
  });
});

describe('Motion', () => {
  afterEach(() => resetMouse());

  async function pressWithMouse(element: Element): Promise<void> {
    const {left, right, top, bottom} = element.getBoundingClientRect();
    await sendMouse({type: 'click', position: [Math.round((left + right) / 2), Math.round((top + bottom) / 2)]});
  }

  it('stops at a speed of 0, and follows any other', async () => {
    const page = await show('progress-confirming');
    const moving = () => page.findAll('.node').flatMap(node => node.getAnimations({subtree: true}) as CSSAnimation[]);
    expect(moving().map(({animationName}) => animationName)).to.deep.equal([]);
    page.widget.style.cssText = '--swap-speed: 0.5';
    const [breath] = moving().filter(({animationName}) => animationName === 'breathe');
    expect(breath?.effect?.getTiming().duration).to.equal(800);
    await expect(page.widget).to.be.accessible();
  });

  it('ends when the visitor reaches for something, so no click meets what is on its way', async () => {
    const page = await show('review');
    page.widget.style.cssText = '--swap-speed: 1000';
    const {left, top} = page.widget.getBoundingClientRect();
    const rest: [number, number] = [Math.round(left) + 40, Math.round(top) + 40];
    await sendMouse({type: 'move', position: rest});
    STATES['form-quoted']?.(page.widget.fake);
    page.widget.fake.$view.set('form');
    await page.untilThere('swap-widget-form-view');
    await waitUntil(() => page.find('.asset')?.checkVisibility(), 'no asset');
    const moving = () => page.find('#amount')!.closest('.amount')!.getAnimations().length;
    await sendMouse({type: 'move', position: [rest[0] + 1, rest[1] + 1]});
    expect(moving(), 'after a tremble').to.equal(1);
    await pressWithMouse(page.find('.asset')!);
    expect(moving()).to.equal(0);
    await page.untilThere('[role=option]');
    await expect(page.widget).to.be.accessible();
  });
});
