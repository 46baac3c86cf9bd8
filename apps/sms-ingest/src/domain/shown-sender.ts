/** Providers' names and short codes have fewer digits than anybody's number. */
const SHORTEST_NUMBER = 7;
const SHOWN_DIGITS = 3;

/** A sender as it is stored and told: a name or a short code as it is, of a person's number the last digits. Example: "+XXXXXXXXXX201" */
export function shownSender(sender: string): string {
  let digits = sender.match(/\p{Nd}/gu)?.length ?? 0;
  if (digits < SHORTEST_NUMBER) return sender;
  return sender.replace(/\p{Nd}/gu, (digit) => (digits-- > SHOWN_DIGITS ? 'X' : digit));
}
