/** Messages of one group, with repeats within the group separated. */
export interface Twins<Message> {
  /**
   * The messages that repeat no earlier one, in order, with every fingerprint that leads to them, those of their twins
   * included.
   */
  readonly firsts: readonly { readonly message: Message; readonly fingerprints: readonly string[] }[];
  /** For each message of the group, the place of its first among `firsts`. */
  readonly firstOf: readonly number[];
}

/** The database recognises stored messages; two copies in one group must be recognised here. */
export function separateTwins<Message extends { readonly fingerprints: readonly string[] }>(
  messages: readonly Message[],
): Twins<Message> {
  const placeOf = new Map<string, number>();
  const firsts: { message: Message; fingerprints: string[] }[] = [];
  const firstOf = messages.map((message) => {
    const known = message.fingerprints
      .map((fingerprint) => placeOf.get(fingerprint))
      .find((place) => place !== undefined);
    const place = known ?? firsts.push({ message, fingerprints: [] }) - 1;
    for (const fingerprint of message.fingerprints) {
      if (placeOf.has(fingerprint)) continue;
      placeOf.set(fingerprint, place);
      firsts[place]?.fingerprints.push(fingerprint);
    }
    return place;
  });
  return { firsts, firstOf };
}
