/* What the one-file pages speak: the visitor's language, or the one that the visitor or the page's address chose. */
import {readTag, writingOf} from '../locales/languages.js';
import {tag, type Markup} from './markup.js';

export interface Speech<Words> {
  readonly t: Words;
  /** As `Intl` takes it. */
  readonly locale: string;
  /** The language, as the widget's files are named: `de`. */
  readonly name: string;
}

export interface Speaker<Words> {
  readonly now: Speech<Words>;
  /** Also after a reload. */
  choose(name: string): void;
  picker(label: string, onChange: () => void): Markup;
}

/** The first language of the URL (`?lang=de`) and of the browser that there are words for, or else English. */
export function createSpeaker<Words>(files: Readonly<Record<string, () => Words>>): Speaker<Words> {
  const names = Object.keys(files).map(file => file.replace(/^.*\/|\.json$/g, ''));
  const wordsOf = (name: string) => files[`./words/${name}.json`] as () => Words;

  function speak(tag: string): Speech<Words> {
    const {language: name, baseName} = readTag(tag) ?? ENGLISH;
    const {direction, script} = writingOf({language: name, baseName}, true);
    Object.assign(document.documentElement, {lang: script ? `${name}-${script}` : name, dir: direction});
    // With the digits that a wallet shows, as in the widget.
    const locale = `${script ? new Intl.Locale(baseName, {script}).baseName : baseName}-u-nu-latn`;
    return {t: wordsOf(name)(), locale, name};
  }

  const asked = [new URLSearchParams(location.search).get('lang') ?? '', ...navigator.languages];
  let now = speak(asked.find(tag => names.includes(readTag(tag)?.language ?? '')) ?? 'en');

  return {
    get now() {
      return now;
    },
    choose(name) {
      // The visitor's own region, if one of the browser's languages is this one.
      now = speak(navigator.languages.find(tag => readTag(tag)?.language === name) ?? name);
      const address = new URL(location.href);
      address.searchParams.set('lang', name);
      try {
        history.replaceState(null, '', address);
      } catch {
        // The URL of a file on a disk stays as it is.
      }
    },
    picker(label, onChange) {
      const choose = ({target}: Event) => {
        this.choose((target as HTMLSelectElement).value);
        onChange();
      };
      const options = names.map(name =>
        tag('option', {value: name, lang: name, selected: name === now.name}, ownName(name)),
      );
      return tag('select', {id: 'language', class: 'language', 'aria-label': label, onchange: choose}, options);
    },
  };
}

export function timeLeft(seconds: number, locale: string): string {
  const minutes = Math.ceil(seconds / 60);
  const hours = Math.ceil(minutes / 60);
  const [left, unit] =
    minutes < 90
      ? ([minutes, 'minute'] as const)
      : hours < 48
        ? ([hours, 'hour'] as const)
        : ([Math.ceil(hours / 24), 'day'] as const);
  return new Intl.RelativeTimeFormat(locale).format(left, unit);
}

const ENGLISH = {language: 'en', baseName: 'en'};

/** Written as at the beginning of a line. */
function ownName(tag: string): string {
  const name = new Intl.DisplayNames(tag, {type: 'language'}).of(tag) ?? tag;
  return name.replace(/^./u, letter => letter.toLocaleUpperCase(tag));
}
