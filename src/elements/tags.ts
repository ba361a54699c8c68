/* The elements inside a widget by their names: for the compiler, and for the program that checks templates. */
import type {Accounts, Clock} from './base/frame-parts.js';
import type {AddressField} from './form/address-field.js';
import type {AddressNote, AddressQuestion, AmountNote} from './form/notes.js';
import type {AmountField} from './form/amount-field.js';
import type {Announcement, Echo} from './base/announcement.js';
import type {AssetPicker} from './pickers/asset-picker.js';
import type {ClosedView} from './order/closed-view.js';
import type {Countdown} from './base/countdown.js';
import type {DepositView} from './order/deposit/deposit-view.js';
import type {ErrorNote} from './base/error-note.js';
import type {FormView} from './form/form-view.js';
import type {JournalView} from './order/journal-view.js';
import type {Launch} from './launch.js';
import type {Phone} from './pickers/phone.js';
import type {Price} from './form/price.js';
import type {ProgressView} from './order/progress/progress-view.js';
import type {QrCode} from './order/deposit/qr-code.js';
import type {ReceiveField} from './form/receive-field.js';
import type {RescueFile} from './order/rescue-file.js';
import type {ReviewView} from './order/review-view.js';
import type {StatusView} from './order/progress/status-view.js';
import type {ValueAmount} from './form/value-amount.js';
import type {WalletPicker} from './pickers/wallet-picker.js';

declare global {
  interface HTMLElementTagNameMap {
    'swap-status-view': StatusView;
    'swap-widget-accounts': Accounts;
    'swap-widget-address-field': AddressField;
    'swap-widget-address-note': AddressNote;
    'swap-widget-address-question': AddressQuestion;
    'swap-widget-amount-field': AmountField;
    'swap-widget-amount-note': AmountNote;
    'swap-widget-announcement': Announcement;
    'swap-widget-asset-picker': AssetPicker;
    'swap-widget-clock': Clock;
    'swap-widget-closed-view': ClosedView;
    'swap-widget-countdown': Countdown;
    'swap-widget-deposit-view': DepositView;
    'swap-widget-echo': Echo;
    'swap-widget-error-note': ErrorNote;
    'swap-widget-form-view': FormView;
    'swap-widget-journal-view': JournalView;
    'swap-widget-launch': Launch;
    'swap-widget-phone': Phone;
    'swap-widget-price': Price;
    'swap-widget-progress-view': ProgressView;
    'swap-widget-qr-code': QrCode;
    'swap-widget-receive-field': ReceiveField;
    'swap-widget-rescue-file': RescueFile;
    'swap-widget-review-view': ReviewView;
    'swap-widget-value-amount': ValueAmount;
    'swap-widget-wallet-picker': WalletPicker;
  }
}
