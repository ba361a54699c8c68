/** The block in the editor: its author's settings, and a placeholder for the form, which only runs on the page. */
(({blocks, blockEditor, components, element, i18n}) => {
  const {createElement: h, Fragment} = element;
  const {__} = i18n;
  const {PanelBody, Placeholder, SelectControl, TextControl, ToggleControl} = components;

  const texts = {
    from: [__('From', 'swap-widget'), __('The asset to pay with, such as bitcoin:btc.', 'swap-widget')],
    to: [__('To', 'swap-widget'), __('The asset to receive, such as base:cbbtc.', 'swap-widget')],
    amount: [__('Amount', 'swap-widget'), __('The amount to start with, such as 0.1.', 'swap-widget')],
  };
  const choices = {
    theme: [
      __('Theme', 'swap-widget'),
      [
        ['', __('Automatic', 'swap-widget')],
        ['light', __('Light', 'swap-widget')],
        ['dark', __('Dark', 'swap-widget')],
      ],
    ],
    variant: [
      __('Variant', 'swap-widget'),
      [
        ['', __('Card', 'swap-widget')],
        ['compact', __('Compact', 'swap-widget')],
        ['button', __('Button that opens a dialog', 'swap-widget')],
      ],
    ],
  };

  function Edit({attributes, setAttributes}) {
    const control = (name, type, more) =>
      h(type, {
        key: name,
        onChange: value => setAttributes({[name]: value}),
        __nextHasNoMarginBottom: true,
        ...more,
      });
    return h(
      Fragment,
      null,
      h(
        blockEditor.InspectorControls,
        null,
        h(
          PanelBody,
          {title: __('Swap', 'swap-widget')},
          Object.entries(texts).map(([name, [label, help]]) =>
            control(name, TextControl, {label, help, value: attributes[name]}),
          ),
          Object.entries(choices).map(([name, [label, options]]) =>
            control(name, SelectControl, {
              label,
              options: options.map(([value, text]) => ({value, label: text})),
              value: attributes[name],
            }),
          ),
          control('noHeader', ToggleControl, {
            label: __('Without a title', 'swap-widget'),
            checked: attributes.noHeader,
          }),
        ),
      ),
      h(
        'div',
        blockEditor.useBlockProps(),
        h(Placeholder, {
          icon: 'randomize',
          label: __('Swap Widget', 'swap-widget'),
          instructions: `${attributes.from} → ${attributes.to}`,
        }),
      ),
    );
  }

  blocks.registerBlockType('swap-widget/form', {edit: Edit, save: () => null});
})(globalThis.wp);
