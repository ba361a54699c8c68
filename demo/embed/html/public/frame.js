/* The widget for sites that remove scripts: they show this page in a frame. */
import {settings} from './settings.js';

/** The sites that hear how high the page is and what happens in it. Any other may show the form, and hears nothing. */
const SITES = ['https://your.shop'];
const EVENTS = ['swap-order', 'swap-status', 'swap-complete', 'swap-refund', 'swap-error'];

const widget = document.querySelector('swap-widget');
Object.assign(widget, settings);

// Where a browser does not name the site around a frame, the referrer does, unless the site hides it.
const site = location.ancestorOrigins?.[0] ?? (document.referrer && new URL(document.referrer).origin);
if (parent !== window && SITES.includes(site)) {
  const tell = message => parent.postMessage({from: 'swap-widget', ...message}, site);
  new ResizeObserver(() => tell({height: document.documentElement.offsetHeight})).observe(document.documentElement);
  for (const type of EVENTS)
    widget.addEventListener(type, event => tell({type, event: JSON.parse(JSON.stringify(event))}));
}
