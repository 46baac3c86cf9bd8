/** A number is written by us, decimal point and sign included; text may come from anywhere. */
export type Cell = { readonly number: string | number | null } | { readonly text: string | null };

/**
 * Characters that spreadsheets interpret as the beginning of a formula. Some accept their wide forms too, and some skip
 * leading spaces.
 */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/;

/**
 * RFC 4180. Text that a spreadsheet would take for a formula begins with an apostrophe; our own numbers stay numbers.
 */
export function csvOf(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [header.map((text): Cell => ({ text })), ...rows].map(csvLine).join('');
}

/** One line of it, with its end. */
export function csvLine(row: readonly Cell[]): string {
  return `${row.map(fieldOf).join(',')}\r\n`;
}

function fieldOf(cell: Cell): string {
  if ('number' in cell) return cell.number === null ? '' : String(cell.number);
  const text = cell.text ?? '';
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
