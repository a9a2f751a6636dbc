/** What macOS alone has to tell about itself. */
import type { Table } from "../call.ts";
import { paths, program } from "./subcommands.ts";

export const mac: Table = {
  system_profiler: "~ -listDataTypes -detailLevel= | data*",
  defaults: program({
    branches: () => paths("read, read-type, domains, find", "| data*"),
    writers: "write import delete rename",
  }),
  diskutil: program({ branches: () => paths("list, info", "| data*") }),
  launchctl: program({ branches: () => paths("list, print", "| data*") }),
};
