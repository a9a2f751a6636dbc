import assert from "node:assert/strict";
import { test } from "node:test";
import { addLine, total } from "../src/cart.js";

test("adding a product twice adds to its quantity", () => {
  const cart = addLine(addLine([], { id: "tea", price: 350 }), { id: "tea", price: 350 }, 2);
  assert.deepEqual(cart, [{ id: "tea", price: 350, quantity: 3 }]);
  assert.equal(total(cart), 1050);
});
