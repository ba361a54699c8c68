/** Gives the plugin's own elements the settings that are objects. Others on the page are not touched. */
for (const widget of document.querySelectorAll('swap-widget[data-swap-widget-more]')) {
  Object.assign(widget, JSON.parse(widget.dataset.swapWidgetMore));
}
