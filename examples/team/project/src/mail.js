import { total } from "./cart.js";

/** The text of an order confirmation. */
export function confirmation(customer, cart) {
  return `Dear ${customer.name},\nthank you for your order of ${(total(cart) / 100).toFixed(2)} EUR.`;
}

export function sendMail(transport, customer, cart) {
  return transport.send({ to: customer.email, text: confirmation(customer, cart) });
}
