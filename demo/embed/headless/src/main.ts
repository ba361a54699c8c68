import {formatAmount, valueOf} from 'swap-widget/core';
import {session} from './session';

const form = document.querySelector('form')!;
const receive = form.elements.namedItem('receive') as HTMLOutputElement;
const status = document.querySelector('[role=status]')!;

form.addEventListener('input', event => {
  const {name, value} = event.target as HTMLInputElement;
  session.edit({[name]: value});
});

form.addEventListener('submit', event => {
  event.preventDefault();
  session.review();
});

session.$form.subscribe(({quote}) => {
  receive.value = valueOf(quote)?.offers[0].destination.display ?? '–';
});

// What is ordered is what the review shows; this page shows it in the form, so one click does both.
session.$view.subscribe(view => {
  if (view === 'review') void session.placeOrder();
});

session.$order.subscribe(order => {
  const deal = valueOf(order)?.deal;
  if (deal?.deposit.how !== 'transfer') return;
  const {amount, address} = deal.deposit;
  status.textContent = `Send ${formatAmount(amount, deal.agreed.from.decimals)} BTC to ${address}. Order ${deal.orderId}.`;
});

session.listen(event => {
  if (event.type === 'error') status.textContent = `That did not work: ${event.error.code}.`;
  if (event.type === 'complete') {
    const by = event.witness === 'chain' ? 'its chain shows it' : 'the service says so';
    status.textContent = `Received, ${by}: order ${event.orderId}`;
  }
});
