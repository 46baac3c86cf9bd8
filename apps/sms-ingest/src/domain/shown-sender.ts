/** Names and short codes of providers have fewer digits than a phone number. */
const SHORTEST_NUMBER = 7;
const SHOWN_DIGITS = 3;

/**
 * A sender as it is stored and published: names and short codes unchanged, of a phone number the last digits. Example:
 * "+XXXXXXXXXX201"
 */
export function shownSender(sender: string): string {
  let digits = sender.match(/\p{Nd}/gu)?.length ?? 0;
  if (digits < SHORTEST_NUMBER) return sender;
  return sender.replace(/\p{Nd}/gu, (digit) => (digits-- > SHOWN_DIGITS ? 'X' : digit));
}
