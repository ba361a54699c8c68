import {correction, generate} from 'lean-qr/nano';
import {css, html} from 'lit';
import {property} from 'lit/decorators.js';
import {register, SwapElement} from '../../base/swap-element.js';
import {base} from '../../style/styles.js';

/** The margin that scanners need around a code, in modules (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/**
 * A text as a QR code, black on white in every theme, as scanners need it.
 *
 * @tag swap-widget-qr-code
 * @csspart qr - The code.
 */
export class QrCode extends SwapElement {
  static override styles = [
    base,
    css`
      :host {
        display: block;
      }
      svg {
        inline-size: 100%;
        border-radius: var(--_radius-control);
        background: #fff;
        color: #000;
        forced-color-adjust: none;
      }
    `,
  ];

  @property() text = '';

  @property() label = '';

  override render() {
    const {path, size} = draw(this.text);
    const box = `${String(-QUIET_ZONE)} ${String(-QUIET_ZONE)} ${String(size + 2 * QUIET_ZONE)} ${String(size + 2 * QUIET_ZONE)}`;
    return html`<svg part="qr" role="img" aria-label=${this.label} viewBox=${box} shape-rendering="crispEdges">
      <path fill="currentColor" d=${path} />
    </svg>`;
  }
}

/** The black modules as one path, each horizontal run as a bar. */
function draw(text: string): {readonly path: string; readonly size: number} {
  // Level M corrects up to 15 % of the code: a reflection on the screen, a fingerprint.
  const code = generate(text, {minCorrectionLevel: correction.M});
  const {size} = code;
  let path = '';
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      if (!code.get(x, y)) continue;
      const start = x;
      while (code.get(x, y)) x += 1;
      const length = String(x - start);
      path += `M${String(start)} ${String(y)}h${length}v1h-${length}z`;
    }
  }
  return {path, size};
}

register({'swap-widget-qr-code': QrCode});
