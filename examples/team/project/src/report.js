import { total } from "./cart.js";

/** Sales of a day: number of orders and turnover in cents. */
export function dailyReport(orders, day) {
  const today = orders.filter(({ date }) => date === day);
  return { day, orders: today.length, turnover: today.reduce((sum, { cart }) => sum + total(cart), 0) };
}
