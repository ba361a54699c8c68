/** Gives the plugin's own elements their object settings. Other elements on the page are not touched. */
for (const widget of document.querySelectorAll('swap-widget[data-swap-widget-more]')) {
  Object.assign(widget, JSON.parse(widget.dataset.swapWidgetMore));
}
