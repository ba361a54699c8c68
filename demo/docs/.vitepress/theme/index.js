import {Content, withBase} from 'vitepress';
import DefaultTheme, {VPHomeFeatures, VPHomeHero} from 'vitepress/theme';
import {h} from 'vue';
import './theme.css';

/** The current widget: a state of the gallery, so that no picture gets outdated. It is to be looked at only. */
const Live = () =>
  h('figure', {class: 'live'}, [
    ...['light', 'dark'].map(theme =>
      h('iframe', {
        class: theme,
        title: 'The widget’s form',
        loading: 'lazy',
        inert: true,
        src: `../stages.html?state=form-two-coins&theme=${theme}`,
      }),
    ),
    h('figcaption', [
      'A picture of the form, with mock data. ',
      h('a', {href: '../', target: '_self'}, 'Try the form itself'),
    ]),
  ]);

/** The first page. VitePress's own has no landmark. */
const Front = () => h('main', [h(VPHomeHero), h(VPHomeFeatures), h(Content, {class: 'front vp-doc'})]);

const NotFound = () =>
  h('main', {class: 'front vp-doc'}, [
    h('div', [
      h('h1', 'Page not found'),
      h('p', [
        'It may have been moved. Search for it, or begin with ',
        h('a', {href: withBase('/')}, 'the first page'),
        '.',
      ]),
    ]),
  ]);

export default {
  extends: DefaultTheme,
  // VitePress's own has no landmark either.
  Layout: () => h(DefaultTheme.Layout, null, {'not-found': () => h(NotFound)}),
  enhanceApp: ({app}) => app.component('Live', Live).component('Front', Front),
};
