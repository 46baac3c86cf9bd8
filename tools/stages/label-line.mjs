const WIDTH = 11;
/** The processes of a stage that Nx runs have labelled their lines already. */
const LABELLED = new RegExp(`^(?=.{${WIDTH}} \\| )[a-z0-9]+ *\\| `);

/** A line of output behind the name of the process that has printed it. */
export function labelLine(label, line) {
  return LABELLED.test(line) ? line : `${label.padEnd(WIDTH)} | ${line}`;
}
