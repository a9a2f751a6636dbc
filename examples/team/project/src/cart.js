/** A cart: lines of product, price in cents and quantity. */
export function addLine(cart, product, quantity = 1) {
  const line = cart.find(({ id }) => id === product.id);
  if (line) return cart.map((one) => (one === line ? { ...one, quantity: one.quantity + quantity } : one));
  return [...cart, { id: product.id, price: product.price, quantity }];
}

export function total(cart) {
  return cart.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
}
