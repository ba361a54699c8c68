import {Component, CUSTOM_ELEMENTS_SCHEMA, signal} from '@angular/core';
import 'swap-widget/define.js';
import type {SwapCompleteEvent} from 'swap-widget';
import {settings} from './settings';

@Component({
  selector: 'app-root',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <main>
      <h1>Swap in Angular</h1>
      <swap-widget
        [attr.base-url]="settings.baseUrl"
        [attr.app-id]="settings.appId"
        from="base_sepolia:wbtc"
        to="ethereum_sepolia:wbtc"
        [assets]="settings.assets"
        [chains]="settings.chains"
        [affiliateFees]="settings.affiliateFees"
        (swap-complete)="finish($event)"
      ></swap-widget>
      <output>{{ received() && 'Received: order ' + received() }}</output>
    </main>
  `,
})
export class App {
  readonly settings = settings;
  readonly received = signal('');

  finish(event: SwapCompleteEvent) {
    this.received.set(event.orderId);
  }
}
