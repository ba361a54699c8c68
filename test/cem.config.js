import {customElementJetBrainsPlugin} from 'custom-element-jet-brains-integration';
import {customElementVsCodePlugin} from 'custom-element-vs-code-integration';

/** Editors that do not read the manifest get the same in their own format. */
const forEditors = {outdir: 'dist/types', hideLogs: true};

/** The custom elements manifest, for editors and documentation: only the public elements, not their inner ones. */
export default {
  globs: [
    'src/elements/base/public-element.ts',
    'src/elements/swap-widget.ts',
    'src/elements/swap-status.ts',
    'src/elements/settings/settings.ts',
    'src/events.ts',
  ],
  outdir: 'dist',
  litelement: true,
  packagejson: false,
  quiet: true,
  plugins: [
    parameterProperties(),
    ownMembers(),
    settingsOfElements(),
    publicOnly(),
    customElementVsCodePlugin(forEditors),
    customElementJetBrainsPlugin({...forEditors, packageJson: false}),
  ],
};

/** Lists fields declared as constructor parameters, such as an event's, which the analyzer omits. */
function parameterProperties() {
  return {
    name: 'parameter-properties',
    analyzePhase({ts, node, moduleDoc}) {
      if (!ts.isConstructorDeclaration(node)) return;
      const declaration = moduleDoc.declarations?.find(({name}) => name === node.parent.name?.getText());
      if (!declaration) return;
      for (const parameter of node.parameters) {
        if (!parameter.modifiers?.length) continue;
        const [comment] = parameter.jsDoc ?? [];
        (declaration.members ??= []).push({
          kind: 'field',
          name: parameter.name.getText(),
          type: {text: `${parameter.type.getText()}${parameter.questionToken ? ' | undefined' : ''}`},
          ...(comment?.comment ? {description: comment.comment} : {}),
          readonly: true,
        });
      }
    },
  };
}

/**
 * Lists the elements' properties and attributes from `SETTINGS`, each with its comment there. `<swap-status>` has those
 * that it lists, and the widget's custom properties and parts that it lists.
 */
function settingsOfElements() {
  const settings = [];
  /** The widget's members that `<swap-status>` lists. */
  const named = {NAMES: [], PARTS: []};
  return {
    name: 'settings-of-elements',
    collectPhase({ts, node}) {
      if (!ts.isVariableDeclaration(node)) return;
      const {text} = node.getSourceFile();
      if (text.includes('@tag swap-status'))
        named[node.name.text]?.push(...node.initializer.getText().match(/[\w-]+/g));
      if (node.name.text !== 'SETTINGS') return;
      for (const {name, initializer, jsDoc} of node.initializer.properties) {
        if (jsDoc?.[0]?.tags?.some(tag => tag.tagName.text === 'deprecated')) continue;
        // `text as Setting<'light' | 'dark'>`, or a kind with its own type.
        const [kind, type] = ts.isAsExpression(initializer)
          ? [initializer.expression.getText(), initializer.type.typeArguments[0].getText()]
          : [initializer.getText(), initializer.getText() === 'flag' ? 'boolean' : 'string'];
        settings.push({
          name: name.getText(),
          attribute:
            kind === 'property' ? undefined : name.getText().replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`),
          type: {text: `${type} | undefined`},
          description: jsDoc?.[0]?.comment?.replace(/\s*\n\s*/g, '\n') ?? '',
          ...(kind === 'look' && {reflects: true}),
        });
      }
    },
    packageLinkPhase({customElementsManifest}) {
      const declarations = customElementsManifest.modules.flatMap(({declarations}) => declarations);
      const elementOf = tag => declarations.find(({tagName}) => tagName === tag);
      const [widget, status] = ['swap-widget', 'swap-status'].map(elementOf);
      addSettings(widget, settings);
      addSettings(
        status,
        settings.filter(({name}) => named.NAMES.includes(name)),
      );
      status.cssParts = widget.cssParts.filter(({name}) => named.PARTS.includes(name));
      status.cssProperties = widget.cssProperties;
    },
  };
}

/** Adds settings to an element, as properties and attributes. */
function addSettings(element, settings) {
  const fields = settings.map(({attribute, ...setting}) => ({
    kind: 'field',
    ...setting,
    ...(attribute && {attribute}),
  }));
  element.members.unshift(...fields);
  (element.attributes ??= []).unshift(
    ...settings.flatMap(({name, attribute, type, description}) =>
      attribute ? [{name: attribute, type, description, fieldName: name}] : [],
    ),
  );
}

/** What an element inherits of its base, which is not public, is its own. */
function ownMembers() {
  return {
    name: 'own-members',
    packageLinkPhase({customElementsManifest}) {
      for (const module of customElementsManifest.modules) {
        const base = module.declarations.find(({name}) => name === 'PublicElement');
        module.declarations = module.declarations.filter(declaration => declaration !== base);
      }
      for (const {declarations} of customElementsManifest.modules) {
        for (const element of declarations.filter(({tagName}) => tagName)) {
          element.superclass = {name: 'LitElement', package: 'lit'};
          const own = element.members.filter(({inheritedFrom}) => !inheritedFrom);
          const inherited = element.members.filter(({inheritedFrom}) => inheritedFrom);
          element.members = [...inherited, ...own];
          for (const one of [...inherited, ...element.attributes]) delete one.inheritedFrom;
        }
      }
    },
  };
}

/** Omits private members, and refers to the package's modules. */
function publicOnly() {
  /** Where each element is registered; its class comes from there too, or from `index.js`. */
  const entries = {'swap-widget': 'dist/npm/define.js', 'swap-status': 'dist/npm/status.js'};
  const moduleOf = ({tagName}) => (tagName === 'swap-status' ? entries[tagName] : 'dist/npm/index.js');
  return {
    name: 'public-only',
    packageLinkPhase({customElementsManifest}) {
      const declarations = customElementsManifest.modules
        .flatMap(({declarations}) => declarations)
        .filter(({kind}) => kind === 'class')
        .map(declaration => ({
          ...declaration,
          // A dispatch through a variable is listed without a name, in addition to the doc comment's named ones.
          ...(declaration.events && {events: declaration.events.filter(({name}) => name)}),
          members: declaration.members?.filter(
            ({name, privacy}) => name && !/^[#[]/.test(name) && privacy === undefined,
          ),
        }));
      const modules = new Map();
      const moduleAt = path => {
        if (!modules.has(path)) modules.set(path, {kind: 'javascript-module', path, declarations: [], exports: []});
        return modules.get(path);
      };
      for (const declaration of declarations) {
        const {name, tagName} = declaration;
        const {path, ...module} = moduleAt(moduleOf(declaration));
        const reference = {name, module: path};
        module.declarations.push(declaration);
        module.exports.push({kind: 'js', name, declaration: reference});
        if (tagName === undefined) continue;
        const {exports} = moduleAt(entries[tagName]);
        exports.push({kind: 'custom-element-definition', name: tagName, declaration: reference});
      }
      customElementsManifest.modules = [...modules.values()];
      // The first one with custom states.
      customElementsManifest.schemaVersion = '2.1.0';
    },
  };
}
