import {settings} from './settings.js';

const widget = document.querySelector('swap-widget');
Object.assign(widget, settings);
widget.addEventListener('swap-complete', event => {
  document.querySelector('output').textContent = `Received: order ${event.orderId}`;
});
