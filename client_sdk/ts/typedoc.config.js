// SPDX-License-Identifier: MIT
import { OptionDefaults } from "typedoc";

/** @type {Partial<import("typedoc").TypeDocOptions>} */
export default {
  entryPoints: ["src/index.ts"],
  tsconfig: "tsconfig.build.json",
  out: "reference",
  readme: "none",
  excludeInternal: true,
  excludePrivate: true,
  disableGit: true,
  sourceLinkTemplate: "{path}#L{line}",
  treatWarningsAsErrors: true,
  // Of the messages of the contract, which only private members have.
  blockTags: [...OptionDefaults.blockTags, "@generated"],
};
