import {customElementJetBrainsPlugin} from 'custom-element-jet-brains-integration';
import {customElementVsCodePlugin} from 'custom-element-vs-code-integration';

/** Editors that do not read the manifest get the same in a form of their own. */
const forEditors = {outdir: 'dist/types', hideLogs: true};

/** The custom elements manifest: what editors and documentation know of `<swap-widget>`. Its parts are nobody's to use. */
export default {
  globs: ['src/elements/swap-widget.ts', 'src/elements/settings/settings.ts', 'src/events.ts'],
  outdir: 'dist',
  litelement: true,
  packagejson: false,
  quiet: true,
  plugins: [
    parameterProperties(),
    settingsOfElement(),
    publicOnly(),
    customElementVsCodePlugin(forEditors),
    customElementJetBrainsPlugin({...forEditors, packageJson: false}),
  ],
};

/** Lists what a constructor declares among its parameters, such as the facts of an event, which the analyzer passes over. */
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
 * Lists the properties and attributes that the element has from the interface `Settings`, each with its comment there. Those
 * in the list `objects` have no attribute.
 */
function settingsOfElement() {
  const settings = [];
  return {
    name: 'settings-of-element',
    collectPhase({ts, node}) {
      if (!ts.isInterfaceDeclaration(node) || node.name.text !== 'Settings') return;
      const objects = /objects: \[([^\]]*)\]/.exec(node.getSourceFile().text)?.[1] ?? '';
      for (const member of node.members) {
        const name = member.name.getText();
        const [comment] = member.jsDoc ?? [];
        settings.push({
          name,
          attribute: objects.includes(`'${name}'`)
            ? undefined
            : name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`),
          type: {text: member.type.getText()},
          description: comment?.comment?.replace(/\s*\n\s*/g, '\n') ?? '',
          ...(name === 'theme' && {reflects: true}),
        });
      }
    },
    packageLinkPhase({customElementsManifest}) {
      const declarations = customElementsManifest.modules.flatMap(({declarations}) => declarations);
      const widget = declarations.find(({tagName}) => tagName === 'swap-widget');
      const fields = settings.map(({attribute, ...setting}) => ({
        kind: 'field',
        ...setting,
        ...(attribute && {attribute}),
      }));
      widget.members.unshift(...fields);
      (widget.attributes ??= []).unshift(
        ...settings.flatMap(({name, attribute, type, description}) =>
          attribute ? [{name: attribute, type, description, fieldName: name}] : [],
        ),
      );
    },
  };
}

/** Leaves out what is private, and speaks of the modules that are in the package. */
function publicOnly() {
  const module = 'dist/npm/index.js';
  return {
    name: 'public-only',
    packageLinkPhase({customElementsManifest}) {
      const declarations = customElementsManifest.modules
        .flatMap(({declarations}) => declarations)
        .filter(({kind}) => kind === 'class')
        .map(declaration => ({
          ...declaration,
          // A dispatch through a variable is listed without a name, beside the named ones of the doc comment.
          ...(declaration.events && {events: declaration.events.filter(({name}) => name)}),
          members: declaration.members?.filter(({name, privacy}) => !name.startsWith('#') && privacy === undefined),
        }));
      const reference = name => ({name, module});
      customElementsManifest.modules = [
        {
          kind: 'javascript-module',
          path: module,
          declarations,
          exports: declarations.map(({name}) => ({kind: 'js', name, declaration: reference(name)})),
        },
        {
          kind: 'javascript-module',
          path: 'dist/npm/define.js',
          declarations: [],
          exports: declarations
            .filter(({tagName}) => tagName)
            .map(({name, tagName}) => ({
              kind: 'custom-element-definition',
              name: tagName,
              declaration: reference(name),
            })),
        },
      ];
    },
  };
}
