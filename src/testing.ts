/**
 * The service, played in the page, for tests and pages that show how the widget looks: `swap-widget/testing`. It is an
 * entry of its own, so no page has it unless its own code imports it; no attribute and no address switches it on.
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

/** How a widget is given a test service. */
export interface InstallOptions extends TestServiceOptions {
  /** What the widget says under its title, so that nobody takes it for real. */
  readonly notice?: string;
}

/** A test service that a widget has. */
export interface InstalledTestService extends TestService {
  /** Takes it from the widget, which then has no service. */
  uninstall(): void;
}

const NOTICE = 'Test service: prices and orders are made up. Send nothing.';

/** Gives a widget a test service of its own: its `baseUrl`, its `fetch`, and a note under the title that says so. */
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
        widget.fetch = undefined;
        widget.baseUrl = undefined;
      },
    },
  });
}
