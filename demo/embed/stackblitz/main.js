import 'swap-widget/define.js';
import {installTestService} from 'swap-widget/testing';
import markup from './index.html?raw';
import script from './main.js?raw';

const widget = document.querySelector('swap-widget');

// For real swaps, set base-url and app-id instead of this line.
installTestService(widget, {payAfter: 4000, stepAfter: 2000});

widget.addEventListener('swap-complete', ({orderId}) => {
  document.querySelector('output').textContent = `Received: order ${orderId}`;
});

document.querySelector('#script').textContent = script;
document.querySelector('#markup').textContent = markup;
