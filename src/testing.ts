/**
 * A mock service that runs in the page, for tests and demo pages: `swap-widget/testing`. It is a separate entry, so no
 * page has it unless its own code imports it; no attribute or URL enables it.
 */
import type {SwapWidget} from './elements/swap-widget.js';
import {createTestService, type TestService, type TestServiceOptions} from './testing/service.js';

export {createTestService};
export type {
  PlacedTestOrder,
  TestEndpoint,
  TestFault,
  TestService,
  TestServiceOptions,
  TestStep,
} from './testing/service.js';

/** The options of a widget's test service. */
export interface InstallOptions extends TestServiceOptions {
  /** The note below the widget's title, so that nobody mistakes it for real. */
  readonly notice?: string;
}

/** A test service that is installed in a widget. */
export interface InstalledTestService extends TestService {
  /** Removes it from the widget, which then has no service. */
  uninstall(): void;
}

const NOTICE = 'Test service: prices and orders are made up. Send nothing.';

/** Installs a new test service in a widget: its `baseUrl`, its `fetch`, and a note below the title. */
export function installTestService(
  widget: Pick<SwapWidget, 'baseUrl' | 'fetch' | 'append'>,
  {notice = NOTICE, ...options}: InstallOptions = {},
): InstalledTestService {
  const service = createTestService(options);
  const note = document.createElement('p');
  note.slot = 'notice';
  note.textContent = notice;
  widget.append(note);
  widget.fetch = service.fetch;
  widget.baseUrl = service.baseUrl;
  return Object.defineProperties({} as InstalledTestService, {
    ...Object.getOwnPropertyDescriptors(service),
    uninstall: {
      value: () => {
        note.remove();
        for (const name of ['fetch', 'baseUrl'] as const) {
          widget[name] = undefined;
          // On an element that is not defined yet, the property would later replace its attribute.
          Reflect.deleteProperty(widget, name);
        }
      },
    },
  });
}
