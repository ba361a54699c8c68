import {Component, Directive, effect, ElementRef, inject, input, signal} from '@angular/core';
import 'swap-widget/define.js';
import type {Settings, SwapCompleteEvent, SwapWidget} from 'swap-widget';
import {settings} from './settings';

/** Gives the element its settings, which the compiler checks. With it, Angular knows the tag. */
@Directive({selector: 'swap-widget'})
export class SwapWidgetSettings {
  readonly settings = input.required<Settings>();

  constructor() {
    const {nativeElement} = inject<ElementRef<SwapWidget>>(ElementRef);
    effect(() => Object.assign(nativeElement, this.settings()));
  }
}

@Component({
  selector: 'app-root',
  imports: [SwapWidgetSettings],
  template: `
    <main>
      <h1>Swap in Angular</h1>
      <swap-widget
        from="base_sepolia:wbtc"
        to="ethereum_sepolia:wbtc"
        [settings]="settings"
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
