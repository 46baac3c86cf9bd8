const WIDTH = 11;
/** Processes of a stage that Nx runs have already labelled their lines. */
const LABELLED = new RegExp(`^(?=.{${WIDTH}} \\| )[a-z0-9]+ *\\| `);

export function labelLine(label, line) {
  return LABELLED.test(line) ? line : `${label.padEnd(WIDTH)} | ${line}`;
}
