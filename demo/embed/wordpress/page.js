/** What is no text: settings that are objects, and what the page does when a swap is complete. */
for (const widget of document.querySelectorAll('swap-widget')) {
  widget.policy = {maxCostBps: 300};
  widget.addEventListener('swap-complete', event => {
    widget.nextElementSibling.textContent = `Received: order ${event.orderId}`;
  });
}
