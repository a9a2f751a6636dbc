import { expect, test } from "vitest";
import { graphOf } from "./graph.ts";
import { importsOf } from "./imports.ts";

const cases: readonly (readonly [
  language: string,
  files: Readonly<Record<string, string>>,
  edges: readonly string[],
])[] = [
  [
    "TypeScript",
    {
      "src/a.ts":
        'import { b } from "./b.js";\nimport type { C } from "./c/index.ts";\nimport d from "@/lib/d";\nimport "node:fs";\n',
      "src/b.ts": 'export * from "./c";\n',
      "src/c/index.ts": "",
      "src/lib/d.tsx": "const x = require('../b');\n",
    },
    [
      "src/a.ts > src/b.ts",
      "src/a.ts > src/c/index.ts",
      "src/a.ts > src/lib/d.tsx",
      "src/b.ts > src/c/index.ts",
      "src/lib/d.tsx > src/b.ts",
    ],
  ],
  [
    "Python",
    {
      "src/shop/__init__.py": "from .cart import Cart\n",
      "src/shop/cart.py": "from shop.prices import (\n    price_of,\n)\nimport os\n",
      "src/shop/prices.py": "from . import tax\n",
      "src/shop/tax.py": "",
    },
    [
      "src/shop/__init__.py > src/shop/cart.py",
      "src/shop/cart.py > src/shop/prices.py",
      "src/shop/prices.py > src/shop/tax.py",
      "src/shop/prices.py > src/shop/__init__.py",
    ],
  ],
  [
    "Go",
    {
      "main.go": 'import (\n\t"fmt"\n\t"example.com/shop/internal/cart"\n)\n',
      "internal/cart/cart.go": "package cart\n",
    },
    ["main.go > internal/cart/cart.go"],
  ],
  [
    "Rust",
    {
      "src/lib.rs": "mod cart;\npub use crate::price::priceOf;\n",
      "src/cart.rs": "use super::price::{Price, tax};\n",
      "src/price/mod.rs": "pub mod tax;\n",
      "src/price/tax.rs": "",
    },
    [
      "src/lib.rs > src/cart.rs",
      "src/lib.rs > src/price/mod.rs",
      "src/cart.rs > src/price/mod.rs",
      "src/cart.rs > src/price/tax.rs",
      "src/price/mod.rs > src/price/tax.rs",
    ],
  ],
  [
    "Java",
    {
      "src/main/java/shop/Cart.java": "import shop.price.Price;\nimport java.util.List;\n",
      "src/main/java/shop/price/Price.java": "",
    },
    ["src/main/java/shop/Cart.java > src/main/java/shop/price/Price.java"],
  ],
  [
    "C",
    { "src/cart.c": '#include "price.h"\n#include <stdio.h>\n', "include/price.h": "" },
    ["src/cart.c > include/price.h"],
  ],
];

test.each(cases)("imports of %s lead to the files of the repository", (_language, files, edges) => {
  const paths = Object.keys(files);
  const { uses } = graphOf(
    paths,
    Object.entries(files).map(([path, text]) => importsOf(path, text)),
  );
  const found = uses.flatMap((targets, from) => targets.map((to) => `${paths[from]} > ${paths[to]}`));
  expect(found.toSorted()).toEqual(edges.toSorted());
});
