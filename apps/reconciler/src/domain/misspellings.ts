/** Characters that are easily confused on a small screen. */
const LOOK_ALIKES = ['0O', '1IL', '8B', '5S'];
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
/** Maximum number of readings of a reference in which characters are confused. */
const MOST_READINGS = 256;

/** Every reference key from which this one differs by one typing mistake or any number of look-alikes. */
export function misspellingsOf(referenceKey: string): string[] {
  const found = new Set<string>([...readingsOf(referenceKey), ...oneSlipFrom(referenceKey)]);
  found.delete(referenceKey);
  found.delete('');
  return [...found];
}

function readingsOf(text: string): string[] {
  let readings = [''];
  for (const character of text) {
    const alike = LOOK_ALIKES.find((group) => group.includes(character)) ?? character;
    const branches = readings.length * alike.length > MOST_READINGS ? character : alike;
    readings = readings.flatMap((head) => Array.from(branches, (next) => head + next));
  }
  return readings;
}

/** One character omitted, added, replaced, or swapped with the next one. */
function oneSlipFrom(text: string): string[] {
  const slips: string[] = [];
  for (let at = 0; at <= text.length; at += 1) {
    const [head, tail] = [text.slice(0, at), text.slice(at)];
    for (const character of ALPHABET) slips.push(head + character + tail, head + character + tail.slice(1));
    slips.push(head + tail.slice(1));
    if (tail.length >= 2) slips.push(head + tail.charAt(1) + tail.charAt(0) + tail.slice(2));
  }
  return slips;
}
